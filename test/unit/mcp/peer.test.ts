import { expect, it } from 'vitest';
import { peerOf } from '../../../src/mcp/peer.js';

it.each([
  ['url declared on 2025-11-25', { elicitation: { url: {} } }, '2025-11-25', 'url'],
  ['form and url', { elicitation: { form: {}, url: {} } }, '2025-11-25', 'url'],
  ['the empty declaration means form mode only', { elicitation: {} }, '2025-11-25', 'none'],
  ['form only', { elicitation: { form: {} } }, '2025-11-25', 'none'],
  ['nothing declared', {}, '2025-11-25', 'none'],
  [
    'url declared on a protocol that has no URL mode',
    { elicitation: { url: {} } },
    '2025-06-18',
    'none',
  ],
  ['url on 2026-07-28', { elicitation: { url: {} } }, '2026-07-28', 'url'],
  ['capabilities missing', undefined, '2026-07-28', 'none'],
])('%s', (_claim, capabilities, version, expected) => {
  expect(peerOf(capabilities, undefined, version).elicitation).toBe(expected);
});
