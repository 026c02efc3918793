import { describe, expect, it } from 'vitest';
import { stateText } from '../../../consent-ui/browser/state-text.js';
import type { ConsentStanding } from '../../../consent-ui/consent-view.js';

function of(standing: Partial<ConsentStanding>) {
  return stateText({ status: 'pending', seconds_left: 100, ...standing });
}

describe('what the page says', () => {
  it('is nothing while the consent waits for an answer', () => {
    expect(of({})).toBeUndefined();
  });

  it.each(['declined', 'expired', 'cancelled'] as const)('%s is final', (status) => {
    expect(of({ status })).toMatchObject({ tone: 'quiet', open: false, steps: [] });
  });

  it('goes on until there is a result', () => {
    const at = 1;
    const approved = (outcome?: ConsentStanding['outcome']) =>
      of({ status: 'approved', ...(outcome === undefined ? {} : { outcome }) });
    expect([approved()?.open, approved({ state: 'minted', at })?.open]).toEqual([true, true]);
    for (const state of ['success', 'failure', 'refused', 'indeterminate'] as const) {
      expect(approved({ state, at })?.open).toBe(false);
    }
  });

  it('claims that the action ran only when it did', () => {
    const ran = (standing: Partial<ConsentStanding>) => of(standing)?.steps.at(-1)?.state;
    expect(ran({ status: 'approved', outcome: { state: 'success', at: 1 } })).toBe('done');
    for (const state of ['failure', 'refused', 'indeterminate', 'minted'] as const) {
      expect(ran({ status: 'approved', outcome: { state, at: 1 } })).not.toBe('done');
    }
    expect(ran({ status: 'approved', seconds_left: 0 })).not.toBe('done');
  });

  it('says so when an approval was never used', () => {
    expect(of({ status: 'approved', seconds_left: 0 })).toMatchObject({
      tone: 'quiet',
      open: false,
    });
  });
});
