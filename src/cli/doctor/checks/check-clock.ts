import { statSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { domainDir } from '../../data-directory.js';
import type { Finding, Patient } from '../finding.js';
import { ok, wrong } from '../finding.js';

/** Seconds; services accept 5 s of difference in each other's assertions. */
const TOLERATED = 5;

/** This clock is not behind the files here, nor away from the vault's. */
export async function checkClock({ data, configs, running }: Patient): Promise<readonly Finding[]> {
  const fix = 'set the clock, e.g. with timedatectl set-ntp true';
  const written = statSync(join(domainDir(data, 'vault'), 'config.json')).mtimeMs;
  if (Date.now() < written - TOLERATED * 1000)
    return [wrong('the clock is behind the time of vault/config.json', fix)];
  const away = running ? await secondsFrom(`${configs.vault.issuer}/.well-known/jwks.json`) : 0;
  return away > TOLERATED
    ? [wrong(`the clock differs from the vault's by ${away} s`, fix)]
    : [ok('the clock is plausible')];
}

/** How far the Date header of an answer is from now; 0 when there is none. */
async function secondsFrom(url: string): Promise<number> {
  const { headers, body } = await request(url);
  await body.dump();
  const theirs = Date.parse(String(headers['date']));
  return Number.isNaN(theirs) ? 0 : Math.round(Math.abs(Date.now() - theirs) / 1000);
}
