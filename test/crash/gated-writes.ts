import type { Configure } from './domains.js';

const MANY = 1_000_000;

/**
 * `create_task` needs a person too: unlike a deletion, doing it twice leaves a trace. And nobody is told to slow down,
 * since a few people here stand for many.
 */
export const everyWriteGated: Configure = (configs) => {
  const gated = { scopes: ['tasks.write'], mode: 'gated' };
  configs.bridge.policy.create_task = { ...gated, binding_message: 'Create {title}' };
  configs.bridge.allowlist = ['create_task', 'delete_task'];
  configs.rs.commands.create_task = gated;
  configs['consent-ui'].limits = { requests: MANY, signIn: MANY, enrol: MANY, decide: MANY };
};
