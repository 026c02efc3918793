import type { WebauthnSignature } from '../../src/contract/payload.js';
import type { ConsentStanding, ConsentView, SigningKeys } from '../consent-view.js';
import { sign } from './ceremony.js';
import { Countdown, clockText, spokenText } from './countdown.js';
import { button, byId, el, fill, show } from './dom.js';
import { passkeyErrorText } from './passkey-error.js';
import { Poll } from './poll.js';
import { type Answer, post } from './post.js';
import { renderNote, renderState } from './render-state.js';
import { stateText } from './state-text.js';

const FULL_BAR_SECONDS = 300;

/** The two answers a person can give, and what the page says before, during and after. Nothing happens without a click. */
export class ConsentPage {
  private readonly path: string;
  private readonly countdown = new Countdown((left, milestone) => this.showTime(left, milestone));
  private readonly poll: Poll;
  private standing: ConsentStanding;
  /** Sentence of the state on show; `undefined` while there is none, or a note. */
  private shown: string | undefined;
  private ceremony: AbortController | undefined;
  /** Made but not yet delivered; sent again rather than asked for again. */
  private kept: WebauthnSignature | undefined;

  constructor(
    consent: ConsentView,
    private readonly keys: SigningKeys,
    private readonly digest: ArrayBuffer,
  ) {
    this.path = `/consents/${consent.id}`;
    this.standing = consent;
    this.poll = new Poll(`${this.path}/status`, (answer) => this.onPoll(answer));
  }

  start(): void {
    button('approve').addEventListener('click', () => void this.approve());
    button('decline').addEventListener('click', () => this.askReason(true));
    button('keep').addEventListener('click', () => this.askReason(false));
    button('confirm-decline').addEventListener('click', () => void this.decline());
    button('retry').addEventListener('click', () => void this.deliver());
    const able = this.keys.passkeys.length > 0 && 'credentials' in navigator;
    show(byId('no-passkey'), !able);
    button('approve').disabled = !able;
    this.apply(this.standing);
  }

  private async approve(): Promise<void> {
    if (this.ceremony !== undefined) return;
    this.ceremony = new AbortController();
    this.setBusy(true);
    this.note('Waiting for your passkey…');
    try {
      this.kept = await sign(this.digest, this.keys, this.ceremony.signal);
    } catch (error) {
      if (this.standing.status === 'pending') this.note(passkeyErrorText(error), 'bad');
      this.setBusy(false);
      return;
    } finally {
      this.ceremony = undefined;
    }
    await this.deliver();
  }

  private async deliver(): Promise<void> {
    if (this.kept === undefined) return;
    this.setBusy(true);
    this.offerRetry(false);
    this.note('Sending your signature…');
    const answer = await post(`${this.path}/approve`, { signature: this.kept });
    if (answer.kind === 'later' && this.standing.status === 'pending') {
      this.setBusy(false);
      this.offerRetry(true);
      this.note(
        'Not sent: no connection. Your signature is kept on this page; send it again.',
        'bad',
      );
      return;
    }
    this.kept = undefined;
    this.settle(answer);
  }

  private async decline(): Promise<void> {
    this.kept = undefined;
    this.offerRetry(false);
    this.setBusy(true);
    this.note('Declining…');
    const field = byId('decline-reason');
    const reason = field instanceof HTMLTextAreaElement ? field.value : '';
    const answer = await post(`${this.path}/decline`, reason === '' ? {} : { reason });
    if (answer.kind === 'later') this.note('Not sent: no connection. Please try again.', 'bad');
    this.settle(answer);
  }

  private settle(answer: Answer): void {
    this.setBusy(false);
    if (answer.kind === 'ok') {
      this.apply(answer.body as unknown as ConsentStanding);
      byId('status').focus();
    }
    if (answer.kind === 'refused') this.onRefusal(answer.code, answer.sentence);
  }

  private onRefusal(code: string, sentence: string): void {
    if (code === 'Unauthenticated' || code === 'CrossOrigin') {
      this.poll.stop();
      this.note('You are not signed in any more. ', 'bad');
      const address = `/sign-in?next=${encodeURIComponent(this.path)}`;
      byId('status').firstElementChild?.append(el('a', { href: address }, 'Sign in again'));
      return;
    }
    this.note(`${sentence} (${code})`, 'bad');
    if (code === 'ConsentExpired' || code === 'AlreadyDecided') this.poll.now();
  }

  private onPoll(answer: Answer): void {
    show(byId('offline'), answer.kind === 'later' && this.kept === undefined);
    if (answer.kind === 'ok') this.apply(answer.body as unknown as ConsentStanding);
    if (answer.kind === 'refused') this.onRefusal(answer.code, answer.sentence);
  }

  /** Shows what the server says, when it says something new. */
  private apply(standing: ConsentStanding): void {
    const state = stateText(standing);
    this.standing = standing;
    const decided = state !== undefined;
    show(byId('decision'), !decided);
    show(byId('time'), !decided);
    byId('slip').classList.toggle('decided', decided);
    if (decided) {
      this.ceremony?.abort();
      this.countdown.stop();
      if (state.sentence !== this.shown) {
        this.shown = state.sentence;
        fill(byId('status'), renderState(state, standing));
        document.title = `${state.title} · consent-bridge`;
      }
    } else {
      this.countdown.sync(standing.seconds_left);
    }
    if (decided && !state.open) this.poll.stop();
    else this.poll.schedule(decided ? 1000 : 3000);
  }

  private askReason(open: boolean): void {
    show(byId('reason-panel'), open);
    show(byId('choices'), !open);
    (open ? byId('decline-reason') : button('decline')).focus();
  }

  /** A signature that could not be delivered is sent again instead of being asked for again. */
  private offerRetry(offer: boolean): void {
    show(button('retry'), offer);
    show(button('approve'), !offer);
    if (offer) button('retry').focus();
  }

  private setBusy(busy: boolean): void {
    for (const id of ['decline', 'confirm-decline']) button(id).disabled = busy;
    button('approve').disabled = busy || this.keys.passkeys.length === 0;
    byId('decision').setAttribute('aria-busy', String(busy));
  }

  private note(text: string, tone: 'wait' | 'bad' = 'wait'): void {
    this.shown = undefined;
    fill(byId('status'), renderNote(text, tone));
  }

  private showTime(left: number, milestone: boolean): void {
    fill(byId('time-left'), clockText(left));
    byId('time').classList.toggle('short', left <= 60);
    byId('time-bar').style.transform = `scaleX(${Math.min(1, left / FULL_BAR_SECONDS)})`;
    if (milestone) fill(byId('announce'), spokenText(left));
    if (left === 0) {
      button('approve').disabled = true;
      this.poll.now();
    }
  }
}
