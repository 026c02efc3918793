/** What a browser sends back from a WebAuthn ceremony; members beyond these are ignored and not passed on. */
import * as z from 'zod';
import { base64url } from '../src/contract/payload.js';

/** WebAuthn L3 section 7.1: a credential id has at most 1023 octets, which are 1364 characters. */
const credentialId = base64url.max(1364);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
};

export const registrationResponse = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: base64url.max(4096),
      attestationObject: base64url.max(65_536),
    }),
  })
  .transform(({ id, rawId, type, response: { clientDataJSON, attestationObject } }) => ({
    ...{ id, rawId, type },
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject },
  }));
export type RegistrationResponse = z.infer<typeof registrationResponse>;

export const authenticationResponse = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: base64url.max(4096),
      authenticatorData: base64url.max(4096),
      signature: base64url.max(2048),
      /** Present from every discoverable credential (section 6.3.3); whether it must be is for sign-in to say. */
      userHandle: base64url.max(86).optional(),
    }),
  })
  .transform(({ id, rawId, type, response }) => {
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    const owner = userHandle === undefined ? {} : { userHandle };
    return {
      ...{ id, rawId, type },
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature, ...owner },
    };
  });
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;
