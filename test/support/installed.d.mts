export function installed(name: string, version: string): Promise<string>;
