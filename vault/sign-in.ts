import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { CeremonyParts } from './ceremony-parts.js';
import { CEREMONY_SECONDS } from './ceremony-parts.js';
import type { AuthenticationResponse } from './ceremony-shapes.js';
import { checkCounter } from './checks/check-counter.js';
import { posixSecondsOf } from './clock.js';
import { unguessable } from './random.js';
import { refuse } from './refuse.js';
import { readClientData } from './webauthn-client-data.js';

export interface SignedIn {
  readonly approver_id: string;
  readonly key_id: string;
}

/**
 * Signs approvers in with a passkey. The challenge is 32 random octets and has nothing to do with any payload, so a
 * sign-in approves nothing; and an approval answers no open challenge, so it signs nobody in.
 */
export class SignIn {
  constructor(private readonly parts: CeremonyParts) {}

  /** Options for `navigator.credentials.get()` with a discoverable passkey and user verification. */
  async options() {
    const { store, webauthn, clock, random } = this.parts;
    const [challengeId, challenge] = [unguessable(random), random(32)];
    await store.commits.run(() => {
      const ceremony = { challenge: challenge.toString('base64url'), invite_hash: null };
      store.ceremonies.open(
        challengeId,
        'sign-in',
        ceremony,
        posixSecondsOf(clock) + CEREMONY_SECONDS,
      );
    });
    const options: PublicKeyCredentialRequestOptionsJSON = await generateAuthenticationOptions({
      rpID: webauthn.rpId,
      challenge: new Uint8Array(challenge),
      timeout: CEREMONY_SECONDS * 1000,
      userVerification: 'required',
    });
    return { challenge_id: challengeId, options };
  }

  /**
   * Verifies the assertion (WebAuthn L3 section 7.2) and advances the authenticator's counter.
   * @throws Refusal CeremonyFailed, UnknownApprover, AuthenticatorCloned.
   */
  async finish(challengeId: string, response: AuthenticationResponse): Promise<SignedIn> {
    const { store, clock } = this.parts;
    const ceremony = await store.commits.run(() =>
      store.ceremonies.take(challengeId, 'sign-in', posixSecondsOf(clock)),
    );
    if (ceremony === undefined) throw refuse('CeremonyFailed', { detail: 'no such challenge' });
    const row = store.approverKeys.ofCredential(response.id);
    if (row?.cose_key == null) throw refuse('UnknownApprover');
    // Section 7.2, for a user who is not known beforehand: the authenticator names the owner of the credential.
    const owner = store.userHandles.find(row.approver_id)?.toString('base64url');
    if (response.response.userHandle !== owner) {
      throw refuse('CeremonyFailed', { detail: 'user handle' });
    }
    const counter = await this.#verify(response, ceremony.challenge, row.cose_key);
    const signedIn = { approver_id: row.approver_id, key_id: row.key_id };
    return store.commits.run(() => {
      checkCounter(counter, store.approverKeys.counterOf(row.key_id));
      store.approverKeys.setCounter(row.key_id, counter);
      store.record.append('approver.signed-in', { ...signedIn, with: 'passkey' });
      return signedIn;
    });
  }

  async #verify(
    response: AuthenticationResponse,
    challenge: string,
    coseKey: Buffer,
  ): Promise<number> {
    const { rpId, origins } = this.parts.webauthn;
    readClientData(response.response.clientDataJSON, 'CeremonyFailed');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      // The stored counter is compared in the transaction that advances it, not here.
      credential: { id: response.id, publicKey: new Uint8Array(coseKey), counter: 0 },
    }).catch((error: unknown) => {
      throw refuse('CeremonyFailed', { detail: String(error) });
    });
    if (!verified) throw refuse('CeremonyFailed', { detail: 'signature' });
    return authenticationInfo.newCounter;
  }
}
