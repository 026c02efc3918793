import type { Endpoint } from './client-setup.js';
import { claudeCode, inspector, vsCode } from './client-setup.js';
import type { Palette } from './palette.js';

export interface NextSteps extends Endpoint {
  readonly consentUrl: string;
  readonly enrolUrl: string;
  readonly data: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** Whether the example tasks are there to try it on. */
  readonly examples: boolean;
}

/** What `bridge up` prints once everything listens: how to enrol, connect and try. */
export function nextSteps(steps: NextSteps, paint: Palette): string {
  const { mcpUrl, token, consentUrl, enrolUrl, data, subject, scopes, examples } = steps;
  const may = scopes.length === 0 ? 'no scopes' : `scopes ${scopes.join(' ')}`;
  const json = indent(vsCode(steps), 6);
  return `
${paint.bold('consent-bridge is running')} as four processes with their data in ${data}. Ctrl-C stops it.

   MCP endpoint   ${mcpUrl}
   Test token     ${token}
                  ${paint.dim(`acts for ${subject}, ${may}, good for 24 hours`)}
   Consent page   ${consentUrl}

${paint.bold('1. Enrol your own passkey')} ${paint.dim('(the link works once, within an hour)')}

   ${enrolUrl}

${paint.bold('2. Connect an MCP client')}

   Claude Code
      ${claudeCode(steps)}

   VS Code, in .vscode/mcp.json
${json}

   MCP Inspector ${paint.dim('(needs Node 22.19 or newer)')}
      ${inspector(steps)}

${paint.bold(examples ? '3. Ask it to delete a task' : '3. Ask it to call a gated tool')}

   The client shows a link. Open it, read what would be done, sign with your passkey, and let the client call again.
   What each part wrote down:   npm run bridge -- record tail
   If something does not work:  npm run bridge -- doctor

`;
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}
