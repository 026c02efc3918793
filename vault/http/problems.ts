import SQLite from 'better-sqlite3';
import type { FastifyReply } from 'fastify';
import { problemOf, Refusal } from '../../src/contract/errors.js';
import { refuse } from '../refuse.js';

/** Writes one line for the operator: what no refusal explains. Never shown to a caller. */
export type Log = (line: string) => void;

/** What a caller gets to know of any error: refusals are made to be shown, everything else is `Internal`. */
export function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) {
    // The record is for what authenticated clients do: a stranger must not be able to make it grow.
    if (error.code === 'Unauthenticated') log(`Unauthenticated: ${error.detail ?? ''}`);
    return error;
  }
  const { code, statusCode } = fastifyError(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('PayloadTooLarge');
  if (statusCode >= 400 && statusCode < 500) return refuse('MalformedRequest');
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return refuse(isTemporary(error) ? 'Unavailable' : 'Internal');
}

/** Answers with a problem document (RFC 9457). */
export function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const problem = problemOf(refusal);
  return reply
    .code(problem.status)
    .header('content-type', 'application/problem+json')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem));
}

function fastifyError(error: unknown): { code: string; statusCode: number } {
  const fields = new Map<string, unknown>(error instanceof Error ? Object.entries(error) : []);
  return { code: String(fields.get('code')), statusCode: Number(fields.get('statusCode')) };
}

/** A store that is locked or full undid the work: the caller may try again. */
function isTemporary(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && /^SQLITE_(BUSY|FULL|IOERR)/.test(error.code);
}
