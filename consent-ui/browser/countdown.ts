/** Seconds as a person reads a clock: `4:51`, `1:02:03`. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** The same, to be spoken. */
export function spokenText(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} minutes left`;
  return seconds === 60 ? 'one minute left' : `${seconds} seconds left`;
}

/** When a screen reader is told how much time is left. */
const MILESTONES: readonly number[] = [300, 120, 60, 30, 10];

/** Counts down by the server's clock, whatever this device's clock says, and whether or not it slept. */
export class Countdown {
  private endsAt = 0;
  private last = Infinity;
  private timer: number | undefined;

  /** `onTick` gets the seconds left once a second, `milestone` at the few moments worth saying aloud. */
  constructor(private readonly onTick: (secondsLeft: number, milestone: boolean) => void) {}

  /** Sets the time left, by the server's latest word, and keeps counting. */
  sync(secondsLeft: number): void {
    this.endsAt = performance.now() + secondsLeft * 1000;
    this.timer ??= window.setInterval(() => this.tick(), 250);
    this.tick();
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    const left = Math.max(0, Math.ceil((this.endsAt - performance.now()) / 1000));
    if (left === this.last) return;
    const milestone = MILESTONES.some((mark) => this.last > mark && left <= mark);
    this.onTick(left, milestone && this.last !== Infinity);
    this.last = left;
  }
}
