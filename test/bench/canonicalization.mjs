/** Canonical bytes of a typical payload, by this project and by npm `canonicalize`, in turn. */
import canonicalize from 'canonicalize';
import { canonicalBytes } from '../../dist/src/contract/canonical.js';
import { median, repeat } from './measure.mjs';
import { typicalPayload } from './world.mjs';

const ROUNDS = 15;
const CALLS = 20_000;
const utf8 = new TextEncoder();

/** CPU microseconds per payload. Both make bytes; ours also checks members, numbers, surrogates, depth and size. */
export function canonicalization(configs) {
  const payload = {
    ...typicalPayload(configs, 1_900_000_000),
    args: {
      task_id: 't-1',
      title: 'Cut the release candidate',
      labels: ['release', 'blocking', 'q3'],
      estimate_hours: 12.5,
      assignee: { name: 'Alïce', email: 'alice@example.com' },
      notify: true,
    },
  };
  const theirs = () => utf8.encode(canonicalize(payload));
  const ours = () => canonicalBytes(payload, 'client');
  if (Buffer.compare(theirs(), ours()) !== 0) throw new Error('the two canonical forms differ');
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: repeat(CALLS, ours),
    theirs: repeat(CALLS, theirs),
  }));
  return {
    bytes: ours().length,
    ours: median(rounds.map((round) => round.ours)),
    theirs: median(rounds.map((round) => round.theirs)),
    ratio: median(rounds.map((round) => round.theirs / round.ours)),
  };
}
