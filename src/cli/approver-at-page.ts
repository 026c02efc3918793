import type { Attempt } from './attempt.js';

/** A person with a passkey at the consent page: played by software over HTTP, or by a real browser. */
export interface ApproverAtPage {
  /** Opens the invitation link and enrols the passkey. */
  enrol(link: string): Promise<void>;
  /** Signs in, opens the link, reads, and signs. */
  approve(link: string): Promise<Attempt>;
  /** Opens the link and declines. */
  decline(link: string, reason: string): Promise<Attempt>;
  close(): Promise<void>;
}
