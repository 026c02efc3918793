export function node22(): Promise<string>;
