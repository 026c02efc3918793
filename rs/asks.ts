/** What upstreams ask clients, from the question on a service's lines to the answer on its own request. */
import { Refusal } from '../src/contract/errors.js';
import type { AskAnswer } from '../src/contract/wire.js';

interface OpenAsk {
  readonly service: string;
  readonly settle: (answer: AskAnswer) => void;
}

const GONE: AskAnswer = { error: { code: -32_000, message: 'The client can no longer be asked.' } };
/** Questions waiting at once, of all services. */
const MAX_OPEN = 1000;

export class Asks {
  readonly #open = new Map<string, OpenAsk>();

  /** @param newId unguessable, never the same twice */
  constructor(private readonly newId: () => string) {}

  /**
   * Asks once, and waits for the answer until one of `until` aborts. Never rejects.
   * @param put sends the question with its id
   */
  ask(
    service: string,
    put: (id: string) => void,
    until: readonly AbortSignal[],
  ): Promise<AskAnswer> {
    const over = AbortSignal.any([...until]);
    if (over.aborted || this.#open.size >= MAX_OPEN) return Promise.resolve(GONE);
    const id = this.newId();
    return new Promise((resolve) => {
      const settle = (answer: AskAnswer) => {
        this.#open.delete(id);
        over.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      const giveUp = () => settle(GONE);
      over.addEventListener('abort', giveUp);
      this.#open.set(id, { service, settle });
      put(id);
    });
  }

  /** @throws Refusal NotFound if nothing of that id is waiting for this service */
  answer(id: string, service: string, answer: AskAnswer): void {
    const open = this.#open.get(id);
    if (open?.service !== service) throw new Refusal('NotFound', 'rs');
    open.settle(answer);
  }
}
