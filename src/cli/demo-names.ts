/** The properties `bridge demo` shows, in the order `all` shows them. */
export const DEMOS = [
  'all',
  'tier1',
  'tier2',
  'drift',
  'replay',
  'key-isolation',
  'scope',
  'decline',
] as const;
export type DemoName = (typeof DEMOS)[number];
