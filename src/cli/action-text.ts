import { displayText } from '../contract/display.js';
import type { JsonValue } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';
import type { ConsentView } from './approve.js';
import type { Palette } from './palette.js';

/** Everything an approver signs, as text for a terminal. All of it goes through the one renderer, so nothing in it can move the cursor or hide. */
export function actionText(
  { id, payload, requested_by, tool, seconds_left }: ConsentView,
  signed: { readonly bytes: number; readonly hash: string },
  paint: Palette,
): string {
  const claimed = requested_by.client_name;
  const client = `${requested_by.client_id}${claimed === undefined ? '' : ` (calls itself "${claimed}")`}`;
  const rows: [string, string | undefined][] = [
    ['Message', payload.binding_message],
    ['Command', payload.cmd],
    ['Tool', tool?.title],
    ['', tool?.description],
    ['Asked by', client],
    ['On behalf of', requested_by.subject],
    ['Runs at', payload.aud],
    ['Consent', id],
    ['Time left', timeLeft(seconds_left, payload.exp)],
  ];
  const head = rows
    .filter((row): row is [string, string] => row[1] !== undefined)
    .map(([name, text]) => `  ${paint.dim(name.padEnd(13))} ${displayText(text)}`);
  return [
    '',
    paint.bold('Approve this action?'),
    '',
    ...head,
    '',
    `  ${paint.dim('Arguments, in full')}`,
    ...lines(payload.args, 4),
    '',
    `  ${paint.dim('Bytes to sign'.padEnd(13))} ${signed.bytes}, SHA-256 ${signed.hash}`,
    '',
    '',
  ].join('\n');
}

function timeLeft(seconds: number, exp: number): string {
  if (seconds <= 0) return 'none, it has expired';
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return `${minutes} min ${rest} s (until ${new Date(exp * 1000).toLocaleTimeString()})`;
}

/** One line per value, indented by depth; strings are quoted so that their ends show. */
function lines(value: JsonValue, indent: number): string[] {
  const pad = ' '.repeat(indent);
  const entries = Array.isArray(value)
    ? value.map((item, i): [string, JsonValue] => [`[${i}]`, item as JsonValue])
    : Object.entries(isJsonObject(value) ? value : {});
  if (entries.length === 0) return [`${pad}${scalar(value)}`];
  return entries.flatMap(([name, item]) => {
    const label = `${pad}${displayText(name)}:`;
    const nested = typeof item === 'object' && item !== null && Object.keys(item).length > 0;
    return nested ? [label, ...lines(item, indent + 2)] : [`${label} ${scalar(item)}`];
  });
}

function scalar(value: JsonValue): string {
  return typeof value === 'string' ? `"${displayText(value)}"` : JSON.stringify(value);
}
