import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { domainDir } from '../../src/cli/data-directory.js';
import {
  AuthorizationServer,
  CLIENTS,
  PAGE_SECRET,
  pageClient,
  pageOidc,
} from './authorization-server.js';
import { SECOND_RESOURCE } from './second-resource-server.js';
import { TestStack } from './test-stack.js';

/** A minute's worth of the whole catalogue, which comes from one address. */
const PLENTY = 100_000;

/** One stack for all attack tests that do not reconfigure or kill anything. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [issuer, second] = await Promise.all([
    AuthorizationServer.start(CLIENTS),
    AuthorizationServer.start(CLIENTS),
  ]);
  const stack = await TestStack.start((configs) => {
    configs.bridge.oauth = {
      resource: `http://127.0.0.1:${configs.bridge.listen.port}/mcp`,
      issuers: [{ issuer: issuer.issuer }, { issuer: second.issuer, namespace: 'second:' }],
    };
    configs['consent-ui'].limits = {
      requests: PLENTY,
      signIn: PLENTY,
      enrol: PLENTY,
      decide: PLENTY,
      recordedRefusals: PLENTY,
    };
    configs['consent-ui'].oidc = pageOidc(issuer.issuer);
    configs.vault.audiences = [...configs.vault.audiences, SECOND_RESOURCE];
  });
  const secret = join(domainDir(stack.data, 'consent-ui'), 'oidc.secret');
  writeFileSync(secret, PAGE_SECRET, { mode: 0o600 });
  await issuer.register([pageClient(stack.origin)]);
  project.provide('stackData', stack.data);
  project.provide('issuers', {
    first: { issuer: issuer.issuer, key: issuer.key },
    second: { issuer: second.issuer, key: second.key },
  });
  return async () => {
    await Promise.all([stack.stop(), issuer.stop(), second.stop()]);
  };
}
