import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../src/contract/errors.js';
import type { Config } from './config.js';

/** How many requests of each kind a minute, per approver where one is signed in, else per address. */
export interface Limits {
  /** Any request of a person, per address; above what a page's polling needs many times over. */
  readonly requests: number;
  /** Sign-in attempts. */
  readonly signIn: number;
  /** Enrolment attempts: what guessing an invitation would need. */
  readonly enrol: number;
  /** Approvals and declines. */
  readonly decide: number;
  /** Refusals written to the record, per address: noise must not fill the disk. */
  readonly recordedRefusals: number;
}

export const DEFAULT_LIMITS: Limits = {
  requests: 1200,
  signIn: 60,
  enrol: 30,
  decide: 60,
  recordedRefusals: 300,
};

/** The limits of a configuration that names some of them. */
export function limitsOf(configured: Config['limits'] = {}): Limits {
  const { requests, signIn, enrol, decide, recordedRefusals } = configured;
  return {
    requests: requests ?? DEFAULT_LIMITS.requests,
    signIn: signIn ?? DEFAULT_LIMITS.signIn,
    enrol: enrol ?? DEFAULT_LIMITS.enrol,
    decide: decide ?? DEFAULT_LIMITS.decide,
    recordedRefusals: recordedRefusals ?? DEFAULT_LIMITS.recordedRefusals,
  };
}

/** Counts the request; true when its key is above `max` a minute. Keys are kept in a bounded LRU table. */
export type Limiter = (
  request: FastifyRequest,
) => Promise<{ exceeded: boolean; retryAfterSeconds: number }>;

export function limiter(app: FastifyInstance, max: number): Limiter {
  const count = app.createRateLimit({
    max,
    timeWindow: 60_000,
    keyGenerator: (request) => request.approver?.approverId ?? request.ip,
  });
  return async (request) => {
    const result = await count(request);
    return result.isAllowed
      ? { exceeded: false, retryAfterSeconds: 0 }
      : { exceeded: result.isExceeded, retryAfterSeconds: result.ttlInSeconds };
  };
}

/** A hook that refuses with `RateLimited` and says when to come back. */
export function limit(app: FastifyInstance, max: number) {
  const count = limiter(app, max);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { exceeded, retryAfterSeconds } = await count(request);
    if (!exceeded) return;
    reply.header('retry-after', retryAfterSeconds);
    throw new Refusal('RateLimited', 'consent-ui');
  };
}
