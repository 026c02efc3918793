import { expect, test } from 'vitest';
import { actionText } from '../../../src/cli/action-text.js';
import type { ConsentView } from '../../../src/cli/approve.js';
import { palette } from '../../../src/cli/palette.js';

const view: ConsentView = {
  id: 'consent-1',
  status: 'pending',
  seconds_left: 125,
  requested_by: {
    subject: 'alice@example.com',
    client_id: 'agent',
    client_name: 'Nice\u202e tool',
  },
  tool: { title: 'Delete a task', description: 'For\u001b[2J ever' },
  payload: {
    v: 2,
    cmd: 'delete_task',
    args: { task_id: 't-1', deep: { list: [1, true, null, 'a\nb'], none: {}, 'k\u200bey': '' } },
    rar_type: 'consent_bridge_action',
    exp: 1_800_000_000,
    approver_id: 'alice@example.com',
    binding_message: 'Delete task t-1',
    aud: 'http://127.0.0.1:8423',
    client_id: 'agent',
    nonce: 'consent-1',
  },
};
const text = actionText(view, { bytes: 321, hash: 'HASH' }, palette({ isTTY: false }));

test('everything that is signed is on the screen', () => {
  const { cmd, binding_message, aud, client_id, approver_id } = view.payload;
  for (const part of [
    cmd,
    binding_message,
    aud,
    client_id,
    approver_id,
    '321',
    'HASH',
    '2 min 5 s',
  ])
    expect(text).toContain(part);
  for (const value of ['task_id: "t-1"', '[0]: 1', '[1]: true', '[2]: null', 'none: {}'])
    expect(text).toContain(value);
});

test('a name the client gave itself is shown as one', () => {
  expect(text).toMatch(/agent \(calls itself "Nice/);
});

test('nothing in it can steer the terminal or hide', () => {
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e]/);
  for (const mark of ['⟨U+202E⟩', '⟨U+001B⟩', '⟨U+200B⟩', '⟨U+000A⟩']) expect(text).toContain(mark);
});
