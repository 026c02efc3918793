import type {
  PublicKeyCredentialCreationOptionsJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { CeremonyParts } from './ceremony-parts.js';
import { CEREMONY_SECONDS } from './ceremony-parts.js';
import type { RegistrationResponse } from './ceremony-shapes.js';
import { posixSecondsOf } from './clock.js';
import { COSE_ALGORITHMS, publicKeyOfCose } from './cose-key.js';
import { sha256 } from './digest.js';
import { unguessable } from './random.js';
import { refuse } from './refuse.js';
import { readClientData } from './webauthn-client-data.js';

export interface Enrolled {
  readonly approver_id: string;
  readonly key_id: string;
  readonly credential_id: string;
}

/** Enrols passkeys. Only an invitation starts it, and only the operator's own command makes an invitation. */
export class Enrolment {
  constructor(private readonly parts: CeremonyParts) {}

  /**
   * Options for `navigator.credentials.create()`: a discoverable passkey with user verification. The invite stays good.
   * @throws Refusal InviteInvalid.
   */
  async options(invite: string) {
    const { store, webauthn, clock, random } = this.parts;
    const now = posixSecondsOf(clock);
    const inviteHash = sha256(invite);
    const approverId = store.invites.approverOf(inviteHash, now);
    if (approverId === undefined) throw refuse('InviteInvalid');
    const [enrolmentId, challenge, freshHandle] = [unguessable(random), random(32), random(32)];
    const userHandle = await store.commits.run(() => {
      const ceremony = { challenge: challenge.toString('base64url'), invite_hash: inviteHash };
      store.ceremonies.open(enrolmentId, 'enrolment', ceremony, now + CEREMONY_SECONDS);
      return store.userHandles.of(approverId, freshHandle);
    });
    const options: PublicKeyCredentialCreationOptionsJSON = await generateRegistrationOptions({
      rpID: webauthn.rpId,
      rpName: webauthn.rpName,
      userName: approverId,
      userDisplayName: approverId,
      userID: new Uint8Array(userHandle),
      challenge: new Uint8Array(challenge),
      timeout: CEREMONY_SECONDS * 1000,
      attestationType: 'none',
      supportedAlgorithmIDs: COSE_ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: store.approverKeys
        .activeOf(approverId)
        .flatMap(({ credential_id }) => (credential_id === null ? [] : [{ id: credential_id }])),
    });
    return { enrolment_id: enrolmentId, approver_id: approverId, options };
  }

  /**
   * Verifies the new passkey (WebAuthn L3 section 7.1), spends the invite and enrols the key, all or nothing. The
   * challenge is spent whatever comes of it; a failed try leaves the invite good.
   * @throws Refusal CeremonyFailed; InviteInvalid if the invite was spent or ran out meanwhile.
   */
  async finish(
    enrolmentId: string,
    response: RegistrationResponse,
    label: string,
  ): Promise<Enrolled> {
    const { store, clock } = this.parts;
    const ceremony = await store.commits.run(() =>
      store.ceremonies.take(enrolmentId, 'enrolment', posixSecondsOf(clock)),
    );
    if (ceremony?.invite_hash == null) {
      throw refuse('CeremonyFailed', { detail: 'no such enrolment' });
    }
    const { invite_hash: inviteHash, challenge } = ceremony;
    const credential = await this.#verify(response, challenge);
    return store.commits.run(() => this.#enrol(inviteHash, credential, label));
  }

  async #verify(response: RegistrationResponse, challenge: string): Promise<WebAuthnCredential> {
    const { rpId, origins } = this.parts.webauthn;
    readClientData(response.response.clientDataJSON, 'CeremonyFailed');
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: COSE_ALGORITHMS,
    }).catch((error: unknown) => {
      throw refuse('CeremonyFailed', { detail: String(error) });
    });
    if (!verified.verified) throw refuse('CeremonyFailed', { detail: 'attestation' });
    const { credential } = verified.registrationInfo;
    // The library takes the id from the authenticator data, whose length nothing else bounds.
    if (credential.id !== response.id) throw refuse('CeremonyFailed', { detail: 'credential id' });
    return credential;
  }

  #enrol(
    inviteHash: Buffer,
    { id, publicKey, counter }: WebAuthnCredential,
    label: string,
  ): Enrolled {
    const { store, clock } = this.parts;
    const now = posixSecondsOf(clock);
    const approverId = store.invites.spend(inviteHash, now);
    if (approverId === undefined) throw refuse('InviteInvalid');
    const { keyId, jwk } = publicKeyOfCose(publicKey);
    const added = store.approverKeys.add({
      key_id: keyId,
      approver_id: approverId,
      scheme: 'webauthn',
      public_jwk: JSON.stringify(jwk),
      cose_key: Buffer.from(publicKey),
      credential_id: id,
      counter,
      label,
      created_at: now,
      revoked_at: null,
    });
    // WebAuthn L3 section 7.1: a credential id is one account's only, else one could take over another's passkey.
    if (!added) throw refuse('CeremonyFailed', { detail: 'the passkey is known already' });
    const enrolled = { approver_id: approverId, key_id: keyId };
    store.record.append('approver-key.enrolled', { ...enrolled, scheme: 'webauthn', by: 'invite' });
    return { ...enrolled, credential_id: id };
  }
}
