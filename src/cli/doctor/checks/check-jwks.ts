import * as z from 'zod';
import { call } from '../../http.js';
import type { Finding, Patient } from '../finding.js';
import { note, ok, wrong } from '../finding.js';

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) });

/** The vault publishes at least one key where the resource server looks for it. */
export async function checkJwks({ data, configs, running }: Patient): Promise<readonly Finding[]> {
  if (!running)
    return [note('nothing runs, so the vault keys were not looked at', `bridge up --data ${data}`)];
  const { jwks_uri } = configs.rs;
  const answer = await call(jwks_uri).catch(() => undefined);
  const parsed = keySet.safeParse(answer?.body);
  return parsed.success
    ? [ok(`the vault publishes ${parsed.data.keys.length} key(s) at ${jwks_uri}`)]
    : [
        wrong(
          `${jwks_uri} gives no key set`,
          'make rs jwks_uri the vault issuer plus /.well-known/jwks.json',
        ),
      ];
}
