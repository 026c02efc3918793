import type { Configs } from '../data-directory.js';

/** What one check found. `wrong` makes the exit code 1; `note` does not. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'wrong';
  readonly what: string;
  /** How to fix it; present unless `ok`. */
  readonly fix?: string;
}

/** What the checks look at. */
export interface Patient {
  readonly data: string;
  readonly configs: Configs;
  /** True if `bridge up` runs on this data directory now. */
  readonly running: boolean;
}

export const ok = (what: string): Finding => ({ state: 'ok', what });
export const wrong = (what: string, fix: string): Finding => ({ state: 'wrong', what, fix });
export const note = (what: string, fix: string): Finding => ({ state: 'note', what, fix });

/** The problems, or one line saying that there are none. */
export function orOk(problems: readonly Finding[], fine: string): readonly Finding[] {
  return problems.length > 0 ? problems : [ok(fine)];
}
