import type { JsonWebKey } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { APPROVER_ASSERTION_TYP, CLIENT_ASSERTION_TYP } from '../contract/wire.js';
import { signJwt, thumbprint } from './jwk.js';

/** Seconds; the services accept no longer one. */
const LIFETIME = 60;

/** The JWT with which one service authenticates to another (`aud`: the called service's identifier). */
export function clientAssertion(jwk: JsonWebKey, clientId: string, aud: string): string {
  const claims = { iss: clientId, sub: clientId, aud, ...freshness() };
  return signJwt(jwk, { typ: CLIENT_ASSERTION_TYP }, claims);
}

/** The JWT with which a terminal approver signs in to the consent page (`aud`: its origin). */
export function approverAssertion(jwk: JsonWebKey, approverId: string, aud: string): string {
  const claims = { sub: approverId, aud, ...freshness() };
  return signJwt(jwk, { typ: APPROVER_ASSERTION_TYP, kid: thumbprint(jwk) }, claims);
}

function freshness(): { iat: number; exp: number; jti: string } {
  const iat = Math.floor(Date.now() / 1000);
  return { iat, exp: iat + LIFETIME, jti: randomUUID() };
}
