/** Tells what happened, from what was actually answered, and counts what differed from the claim. */
import type { Attempt, RefusedBy } from './attempt.js';
import { describe } from './attempt.js';
import { palette } from './palette.js';

export interface NarrationOptions {
  /** Prose between the lines (walkthrough) or the lines alone (demo). */
  readonly prose: boolean;
  /** Called before each chapter but the first, to wait for the reader. */
  readonly pause?: () => Promise<unknown>;
}

export class Narration {
  /** How many things differed. */
  differences = 0;
  private chapters = 0;
  private readonly paint;

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly options: NarrationOptions,
  ) {
    this.paint = palette(out);
  }

  async chapter(title: string): Promise<void> {
    this.chapters += 1;
    if (this.chapters > 1) await this.options.pause?.();
    if (this.options.prose) this.heading(`${this.chapters}. ${title}`);
  }

  heading(title: string): void {
    this.line(`\n${this.paint.bold(title)}`);
  }

  /** Prose: why this is done. Never what should come of it. */
  say(text: string): void {
    if (this.options.prose) this.line(this.paint.dim(`   ${text}`));
  }

  /** A thing that happened; had it not, an error would have ended the story. */
  did(what: string): void {
    this.claim(true, what);
  }

  /** A thing that was checked: `[OK] what`, or `[DIFFERS] what`. */
  claim(holds: boolean, what: string): void {
    if (holds) this.line(`${this.paint.green('[OK]')} ${what}`);
    else this.differs(what);
  }

  /** An attempt to get round a rule: `[REJECTED] CODE (layer) what` if it was refused as claimed. */
  refused(what: string, claimed: RefusedBy, attempt: Attempt): void {
    const asClaimed =
      attempt.kind === 'refused' &&
      attempt.code === claimed.code &&
      attempt.layer === claimed.layer;
    if (asClaimed) this.line(`${this.paint.yellow('[REJECTED]')} ${describe(attempt)} ${what}`);
    else
      this.differs(
        `${what}: ${describe(attempt)}, where ${claimed.code} (${claimed.layer}) was claimed`,
      );
  }

  private differs(what: string): void {
    this.differences += 1;
    this.line(`${this.paint.red('[DIFFERS]')} ${what}`);
  }

  private line(text: string): void {
    this.out.write(`${text}\n`);
  }
}
