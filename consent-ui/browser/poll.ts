import { type Answer, get } from './post.js';

/** Asks the server again and again while the page is looked at, and at once when the person comes back to it. */
export class Poll {
  private everyMs = 3000;
  private timer: number | undefined;
  private stopped = false;

  constructor(
    private readonly path: string,
    private readonly onAnswer: (answer: Answer) => void,
  ) {
    document.addEventListener('visibilitychange', () => this.comeBack());
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) this.comeBack();
    });
  }

  /** From now on every `ms`. */
  schedule(ms: number): void {
    if (this.stopped) return;
    this.everyMs = ms;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.now(), ms);
  }

  now(): void {
    if (!this.stopped) void this.ask();
  }

  stop(): void {
    this.stopped = true;
    window.clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    window.clearTimeout(this.timer);
    const answer = await get(this.path);
    if (this.stopped) return;
    this.schedule(this.everyMs);
    this.onAnswer(answer);
  }

  private comeBack(): void {
    if (document.visibilityState === 'visible') this.now();
  }
}
