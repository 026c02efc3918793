import type { Caller } from '../../contract/wire.js';
import type { AppendRecord } from '../../store/record.js';

/** What a caller lacks for a tool of another agent. Recorded as refused when there is any. */
export function missingScopes(
  { subject, client_id, scopes }: Caller,
  tool: string,
  needed: readonly string[],
  record: AppendRecord,
): readonly string[] {
  const missing_scopes = needed.filter((scope) => !scopes.includes(scope));
  if (missing_scopes.length > 0)
    record('scope.refused', { tool, subject, client_id, missing_scopes });
  return missing_scopes;
}
