/** Names and patterns of commands, as every policy table uses them. */

/**
 * The value of the exact name; else of the matching pattern with the most literal characters (the first listed, of
 * equals); else undefined. In a pattern `*` stands for any run of characters, and nothing else is special.
 */
export function mostSpecific<Value>(
  table: ReadonlyMap<string, Value>,
  name: string,
): Value | undefined {
  const exact = table.get(name);
  if (exact !== undefined) return exact;
  let best: { readonly literals: number; readonly value: Value } | undefined;
  for (const [pattern, value] of table) {
    const literals = pattern.length - (pattern.split('*').length - 1);
    if (literals > (best?.literals ?? -1) && matches(pattern, name)) best = { literals, value };
  }
  return best?.value;
}

/** Linear in the name for each `*`: no input makes it backtrack more than once per star. */
export function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
