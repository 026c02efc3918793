import type { OutcomeReport } from '../../src/contract/wire.js';
import type { ConsentStanding } from '../consent-view.js';

export type StepState = 'done' | 'now' | 'todo' | 'failed';

/** Where a consent stands, in words for its approver. */
export interface StateText {
  /** `good`: went as approved; `wait`: under way; `quiet`: nothing will run; `bad`: needs a look. */
  readonly tone: 'good' | 'wait' | 'quiet' | 'bad';
  readonly title: string;
  readonly sentence: string;
  readonly steps: readonly { readonly label: string; readonly state: StepState }[];
  /** Whether more can still happen. */
  readonly open: boolean;
}

/** What to say of a consent, or `undefined` while it waits for an answer. */
export function stateText(standing: ConsentStanding): StateText | undefined {
  switch (standing.status) {
    case 'pending':
      return undefined;
    case 'approved':
      return approvedText(standing.outcome, standing.seconds_left === 0);
    case 'declined':
      return quiet('You declined', 'Nothing ran, and this request cannot run any more.');
    case 'expired':
      return quiet(
        'Time ran out',
        'Nothing ran. If it is still wanted, the agent has to ask again, and you will see a new request.',
      );
    case 'cancelled':
      return quiet('No longer needed', 'The agent withdrew the request. Nothing ran.');
  }
}

function quiet(title: string, sentence: string): StateText {
  return { tone: 'quiet', title, sentence, steps: [], open: false };
}

function approvedText(outcome: OutcomeReport | undefined, late: boolean): StateText {
  switch (outcome?.state) {
    case undefined:
      return late
        ? {
            tone: 'quiet',
            title: 'Approved, but not used in time',
            sentence:
              'The deadline passed and no result was reported. The approval is worth nothing now.',
            steps: steps('done', 'failed', 'todo'),
            open: false,
          }
        : {
            tone: 'wait',
            title: 'You approved this',
            sentence:
              'It runs once, as soon as the agent repeats its call. You can close this page.',
            steps: steps('done', 'now', 'todo'),
            open: true,
          };
    case 'minted':
      return {
        tone: 'wait',
        title: 'You approved this',
        sentence: 'Your signature was verified. The action is about to run.',
        steps: steps('done', 'done', 'now'),
        open: true,
      };
    case 'success':
      return {
        tone: 'good',
        title: 'Done',
        sentence: 'The action ran once, exactly as shown below. The approval is used up.',
        steps: steps('done', 'done', 'done'),
        open: false,
      };
    case 'failure':
      return {
        tone: 'bad',
        title: 'It ran and reported an error',
        sentence: 'The approval is used up. To try again, the agent has to ask again.',
        steps: steps('done', 'done', 'failed'),
        open: false,
      };
    case 'refused':
      return {
        tone: 'bad',
        title: 'Refused after your approval',
        sentence: 'Nothing ran. Your signature was fine for this page, but a later check said no.',
        steps: steps('done', 'failed', 'todo'),
        open: false,
      };
    case 'indeterminate':
      return {
        tone: 'bad',
        title: 'Outcome unknown',
        sentence:
          'The action was started, and then contact was lost. It will not be run again. Please check the system it acts on.',
        steps: steps('done', 'done', 'failed'),
        open: false,
      };
  }
}

function steps(signed: StepState, verified: StepState, ran: StepState): StateText['steps'] {
  return [
    { label: 'Signed by you', state: signed },
    { label: 'Verified', state: verified },
    { label: 'Run once', state: ran },
  ];
}
