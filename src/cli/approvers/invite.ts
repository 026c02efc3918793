import { displayText } from '../../contract/display.js';
import type { InviteOptions } from '../commands/approver.js';
import { inviteApprover } from '../operator.js';
import { print } from '../print.js';

export async function invite({ data, approver, ttl, json }: InviteOptions): Promise<void> {
  const { link, expiresAt } = await inviteApprover(data, approver, ttl);
  if (json) {
    print(JSON.stringify({ approver_id: approver, link, expires_at: expiresAt }));
    return;
  }
  const until = new Date(expiresAt * 1000).toLocaleString();
  print(
    `Give this link to ${displayText(approver)}, over a channel only they read. It works once, until ${until}:`,
    `\n   ${link}\n`,
  );
}
