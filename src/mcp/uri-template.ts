/**
 * Whether a URI can come from a template (RFC 6570): the literal parts stand in it in this order, with something or
 * nothing where the expressions are. Only tells which upstream is asked; that one decides whether the resource exists.
 */
export function uriMatchesTemplate(uri: string, template: string): boolean {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/);
  const last = rest.pop();
  if (last === undefined) return uri === template;
  if (uri.length < first.length + last.length) return false;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false;
  const end = uri.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = uri.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
