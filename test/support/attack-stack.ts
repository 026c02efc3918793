import type { TestProject } from 'vitest/node';
import { SECOND_RESOURCE } from './second-resource-server.js';
import { TestStack } from './test-stack.js';

/** A minute's worth of the whole catalogue, which comes from one address. */
const PLENTY = 100_000;

/** One stack for all attack tests that do not reconfigure or kill anything. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await TestStack.start((configs) => {
    configs['consent-ui'].limits = {
      requests: PLENTY,
      signIn: PLENTY,
      enrol: PLENTY,
      decide: PLENTY,
      recordedRefusals: PLENTY,
    };
    configs.vault.audiences = [...configs.vault.audiences, SECOND_RESOURCE];
  });
  project.provide('stackData', stack.data);
  return () => stack.stop();
}
