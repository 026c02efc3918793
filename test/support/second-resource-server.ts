/** Another resource server of the same vault, for credentials that are carried from one to the other. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { domainDir, readJson } from '../../src/cli/data-directory.js';
import { mainOf } from '../../src/cli/processes.js';
import type { TestStack } from './test-stack.js';

/** Its identifier. It listens where it can: an identifier is a name, not an address. */
export const SECOND_RESOURCE = 'http://second.example';

export interface SecondResourceServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startSecondResourceServer(stack: TestStack): Promise<SecondResourceServer> {
  const first = domainDir(stack.data, 'rs');
  const data = mkdtempSync(join(tmpdir(), 'consent-bridge-second-'));
  const config = readJson(join(first, 'config.json')) as Record<string, unknown>;
  const listen = { host: '127.0.0.1', port: 0 };
  const text = JSON.stringify({ ...config, resource: SECOND_RESOURCE, listen });
  writeFileSync(join(data, 'config.json'), text, { mode: 0o600 });
  copyFileSync(join(first, 'client.jwk'), join(data, 'client.jwk'));
  const child = spawn(process.execPath, [mainOf('rs'), 'serve', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the second rs ended with ${code}`)));
  });
  return {
    url: (JSON.parse(line) as { url: string }).url,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
      rmSync(data, { recursive: true });
    },
  };
}
