/** What a browser sends back from a WebAuthn ceremony; members beyond these are ignored and not passed on. */
import * as z from 'zod';
import { base64url } from '../src/contract/payload.js';

const credential = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
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
    }),
  })
  .transform(({ id, rawId, type, response: { clientDataJSON, authenticatorData, signature } }) => ({
    ...{ id, rawId, type },
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  }));
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;
