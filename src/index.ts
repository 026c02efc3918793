/** `consent-bridge`: gate the tools of an MCP server of your own. */
export { protect } from './protect/protect.js';
export type { Protected } from './protect/protect.js';
export type { Mode, ProtectOptions, ToolRule } from './protect/options.js';
export type { Caller } from './contract/wire.js';
