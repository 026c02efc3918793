import * as z from 'zod';
import { displayText } from '../../contract/display.js';
import type { ListOptions } from '../commands/approver.js';
import { askDomain } from '../domain-command.js';
import { palette } from '../palette.js';
import { print } from '../print.js';

const key = {
  ...{ approver_id: z.string(), key_id: z.string(), scheme: z.string(), label: z.string() },
};
const enrolledKeys = z.array(z.looseObject({ ...key, revoked_at: z.number().nullable() }));
const pinnedKeys = z.looseObject({
  keys: z.array(z.looseObject({ ...key, revoked: z.boolean() })),
});

interface ListedKey {
  readonly approver_id: string;
  readonly key_id: string;
  readonly scheme: string;
  readonly label: string;
  readonly vault: 'enrolled' | 'revoked' | 'unknown';
  readonly rs: 'trusted' | 'revoked' | 'unknown';
}

/** Every key either side knows, with what each makes of it. */
export async function list({ data, approver, json }: ListOptions): Promise<void> {
  const keys = (await listKeys(data)).filter(
    ({ approver_id }) => approver === undefined || approver_id === approver,
  );
  if (json) print(JSON.stringify({ keys }));
  else if (keys.length === 0)
    print('No keys yet. `bridge approver invite --approver ID` makes an enrolment link.');
  else print(...keys.flatMap(lines));
}

async function listKeys(data: string): Promise<ListedKey[]> {
  const [atVault, atRs] = await Promise.all([
    askDomain(data, 'vault', ['list-keys']),
    askDomain(data, 'rs', ['list-approvers']),
  ]);
  const merged = new Map<string, ListedKey>();
  for (const { approver_id, key_id, scheme, label, revoked_at } of enrolledKeys.parse(atVault)) {
    const vault = revoked_at === null ? 'enrolled' : 'revoked';
    merged.set(key_id, { approver_id, key_id, scheme, label, vault, rs: 'unknown' });
  }
  for (const { approver_id, key_id, scheme, label, revoked } of pinnedKeys.parse(atRs).keys) {
    const vault = merged.get(key_id)?.vault ?? 'unknown';
    const rs = revoked ? 'revoked' : 'trusted';
    merged.set(key_id, { approver_id, key_id, scheme, label, vault, rs });
  }
  return [...merged.values()];
}

function lines({ approver_id, key_id, scheme, label, vault, rs }: ListedKey): string[] {
  return [
    palette(process.stdout).bold(displayText(approver_id)),
    `   ${key_id}  ${scheme}  “${displayText(label)}”`,
    `   vault: ${vault}   resource server: ${rs}`,
  ];
}
