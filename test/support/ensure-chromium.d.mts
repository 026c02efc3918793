export function ensureChromium(): Promise<{ path?: string; problem?: string }>;
export function findChromium(): Promise<string | undefined>;
