import type { TestProject } from 'vitest/node';
import { TestStack } from './test-stack.js';

/** One stack for all attack tests that do not reconfigure or kill anything. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await TestStack.start();
  project.provide('stackData', stack.data);
  return () => stack.stop();
}
