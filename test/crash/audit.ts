/** What must hold once everybody has the last answer, whatever died in between. Each claim that does not hold is one line. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { Domain } from '../../src/cli/data-directory.js';
import type { Books, BridgeConsent, PageConsent } from './books.js';
import type { Effects } from './effects.js';
import type { Errand } from './errand.js';

export interface Findings {
  readonly problems: readonly string[];
  readonly executed: number;
  readonly indeterminate: number;
}

export function audit(errands: readonly Errand[], books: Books, effects: Effects): Findings {
  const problems: string[] = [];
  const pages = groupBy(books.page, ({ proposal }) => keyOf(proposal.payload.args));
  const bridges = new Map(books.bridge.map((consent) => [consent.id, consent]));
  let executed = 0;
  let indeterminate = 0;
  for (const errand of errands) {
    const { wish } = errand;
    const ran = effects.count(wish.command, wish.key);
    const consents = pages.get(keyOf(wish.args)) ?? [];
    const complain = (what: string): void => {
      problems.push(
        `${wish.key} (${wish.command}, ${wish.plan}): ${what}\n    ${errand.log.join('\n    ')}`,
      );
    };
    executed += ran;
    if (ran > 1) complain(`ran ${ran} times`);
    if (ran > 0 && !errand.signed) complain('ran, and nobody signed');
    if (ran > 0 && !consents.some((consent) => isSigned(consent, errand)))
      complain('ran, and no stored signature covers it');
    if (consents.length > 1) complain(`asked the person ${consents.length} times`);
    const [page] = consents;
    const bridge = page === undefined ? undefined : bridges.get(page.id);
    if (errand.decided) {
      const expected = wish.plan === 'approve' ? 'approved' : 'declined';
      if (page?.status !== expected) complain(`the decision is lost: ${page?.status ?? 'no row'}`);
      if (bridge?.state !== 'settled') complain(`the bridge left it ${bridge?.state ?? 'unknown'}`);
    } else if (ran > 0) complain('ran before it was decided');
    if (outcomeIsHonest(errand, ran, bridge, books) === 'indeterminate') indeterminate += 1;
    else complainIfDishonest(errand, ran, bridge, books, complain);
  }
  return {
    problems: [...problems, ...oncePerEvent(books), ...unfinished(books)],
    executed,
    indeterminate,
  };
}

type Honest = 'indeterminate' | 'plain' | undefined;

/** `indeterminate` only if the resource server says so too: then the effect may or may not be there. */
function outcomeIsHonest(
  { told }: Errand,
  ran: number,
  bridge: BridgeConsent | undefined,
  { executions }: Books,
): Honest {
  const execution = executions.get(bridge?.jti ?? '');
  if (told?.kind === 'not-done' && told.why === 'ExecutionIndeterminate')
    return execution?.state === 'indeterminate' ? 'indeterminate' : undefined;
  if (told?.kind === 'success')
    return ran === 1 && execution?.state === 'success' ? 'plain' : undefined;
  if (told?.kind === 'not-done' && told.why === 'declined')
    return ran === 0 && execution === undefined ? 'plain' : undefined;
  return told === undefined && ran === 0 ? 'plain' : undefined;
}

function complainIfDishonest(
  errand: Errand,
  ran: number,
  bridge: BridgeConsent | undefined,
  books: Books,
  complain: (what: string) => void,
): void {
  const { told, wish } = errand;
  const expected = { approve: 'success', decline: 'not-done', ignore: undefined }[wish.plan];
  if (outcomeIsHonest(errand, ran, bridge, books) === 'plain' && told?.kind === expected) return;
  const state = books.executions.get(bridge?.jti ?? '')?.state ?? 'never started';
  complain(
    `the agent was told ${JSON.stringify(told)}, the tool ran ${ran} times, the resource server says ${state}`,
  );
}

/** Events of which each thing has exactly one, by domain: the member that names the thing. */
const ONCE: readonly { domain: Domain; events: readonly string[]; by: string }[] = [
  { domain: 'bridge', events: ['consent.raised'], by: 'consent' },
  { domain: 'bridge', events: ['consent.decided', 'consent.declined-by-client'], by: 'consent' },
  { domain: 'bridge', events: ['credential.minted'], by: 'consent' },
  { domain: 'bridge', events: ['call.executed', 'call.refused'], by: 'consent' },
  { domain: 'consent-ui', events: ['consent.proposed'], by: 'consent_id' },
  {
    domain: 'consent-ui',
    events: ['consent.approved', 'consent.declined', 'consent.cancelled', 'consent.expired'],
    by: 'consent_id',
  },
  { domain: 'vault', events: ['credential.minted'], by: 'hash' },
  { domain: 'vault', events: ['signature.examined'], by: 'hash' },
  { domain: 'rs', events: ['execution.started'], by: 'jti' },
  { domain: 'rs', events: ['execution.started'], by: 'hash' },
  { domain: 'rs', events: ['execution.finished', 'execution.indeterminate'], by: 'jti' },
];

function oncePerEvent({ records }: Books): string[] {
  return ONCE.flatMap(({ domain, events, by }) => {
    const entries = records[domain].filter(
      ({ event, facts }) => events.includes(event) && typeof facts[by] === 'string',
    );
    return [...groupBy(entries, ({ facts }) => String(facts[by]))]
      .filter(([, found]) => found.length > 1)
      .map(
        ([name, found]) =>
          `${domain} recorded ${found.map(({ event }) => event).join(' and ')} for ${by} ${name}`,
      );
  });
}

/** Every started execution has an end, and every credential comes from the vault. */
function unfinished({ records, executions }: Books): string[] {
  const minted = new Set(
    records.vault
      .filter(({ event }) => event === 'credential.minted')
      .map(({ facts }) => facts['jti']),
  );
  const started = records.rs.filter(({ event }) => event === 'execution.started');
  return started.flatMap(({ facts }) => {
    const jti = String(facts['jti']);
    const { state } = executions.get(jti) ?? { state: 'forgotten' };
    return [
      ...(minted.has(jti) ? [] : [`${jti} was executed, and the vault never minted it`]),
      ...(state === 'started' || state === 'forgotten' ? [`${jti} is still ${state}`] : []),
    ];
  });
}

/** Checks the stored signature with nothing but node:crypto and the key the person's own authenticator holds. */
function isSigned({ status, proposal, signature }: PageConsent, { approver }: Errand): boolean {
  if (status !== 'approved' || signature?.scheme !== 'webauthn') return false;
  const clientData = Buffer.from(signature.client_data_json, 'base64url');
  const { challenge } = JSON.parse(clientData.toString('utf8')) as { challenge: string };
  const digest = sha256(canonicalBytes(proposal.payload, 'client')).toString('base64url');
  const signed = Buffer.concat([
    Buffer.from(signature.authenticator_data, 'base64url'),
    sha256(clientData),
  ]);
  const key = createPublicKey({ key: { ...approver.passkey.publicJwk }, format: 'jwk' });
  return (
    challenge === digest &&
    verify('sha256', signed, key, Buffer.from(signature.signature, 'base64url'))
  );
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function keyOf(args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(args);
}

function groupBy<T>(items: Iterable<T>, by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item]);
  return groups;
}
