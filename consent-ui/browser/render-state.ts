import type { ConsentStanding } from '../consent-view.js';
import { el } from './dom.js';
import { renderText } from './render-text.js';
import type { StateText, StepState } from './state-text.js';

/** The panel that says where the consent stands. */
export function renderState(state: StateText, standing: ConsentStanding): HTMLElement {
  const { reason, outcome } = standing;
  return el(
    'div',
    { class: `state ${state.tone}` },
    el('h2', {}, state.title),
    el('p', {}, state.sentence),
    reason === undefined
      ? undefined
      : el('p', { class: 'reason' }, 'You wrote: ', renderText(reason)),
    outcome?.code === undefined
      ? undefined
      : el('p', { class: 'reason' }, 'Reason: ', el('code', {}, renderText(outcome.code))),
    state.steps.length === 0
      ? undefined
      : el(
          'ol',
          { class: 'steps' },
          ...state.steps.map((step) =>
            el('li', { class: step.state }, step.label, spoken(STEP_WORD[step.state])),
          ),
        ),
  );
}

/** A passing note while the person or the network is busy. */
export function renderNote(text: string, tone: 'wait' | 'bad'): HTMLElement {
  return el('p', { class: `note ${tone}` }, text);
}

const STEP_WORD: Readonly<Record<StepState, string>> = {
  done: ': done',
  now: ': next',
  todo: ': not yet',
  failed: ': did not happen',
};

function spoken(text: string): HTMLElement {
  return el('span', { class: 'spoken' }, text);
}
