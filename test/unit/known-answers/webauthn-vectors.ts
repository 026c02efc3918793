/**
 * The test vectors of WebAuthn Level 3 (section 16) for algorithms we take, rebuilt from the specification's own recipe:
 * each random value is HKDF-SHA-256 of `WebAuthn test vectors` with the vector's name as `info` and a counter as `salt`,
 * drawn in the order in which the section lists them. Only the signatures are quoted; they fit nothing but the octets
 * of the specification, so a mistake made here would show.
 */
import { createECDH, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import type { JsonObject } from '../../../src/contract/json.js';
import { sha256 } from '../rs/keys.js';

export const RP_ID = 'example.org';
export const ORIGIN = 'https://example.org';

export interface Ceremony {
  readonly challenge: Buffer;
  readonly clientDataJson: Buffer;
  readonly authenticatorData: Buffer;
}

export interface WebauthnVector {
  readonly name: string;
  readonly jwk: JsonObject;
  /** RFC 9053, as in the registration's attested credential data. */
  readonly coseKey: Buffer;
  readonly credentialId: Buffer;
  readonly registration: Ceremony;
  readonly authentication: Ceremony & { readonly signature: Buffer };
}

interface Recipe {
  readonly name: string;
  readonly alg: 'ES256' | 'EdDSA' | 'RS256';
  readonly signature: string;
  /** A certificate's key and serial number are drawn too. */
  readonly certified?: true;
  readonly credentialIdLength?: number;
  /** Members of the client data after `origin`. */
  readonly frame?: object;
}

const RECIPES: readonly Recipe[] = [
  {
    name: 'none.ES256',
    alg: 'ES256',
    signature:
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
  },
  {
    name: 'packed-self.ES256',
    alg: 'ES256',
    signature:
      '304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf84002204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66',
  },
  {
    name: 'none.ES256.crossOrigin',
    alg: 'ES256',
    frame: { crossOrigin: true },
    signature:
      '3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf',
  },
  {
    name: 'none.ES256.topOrigin',
    alg: 'ES256',
    frame: { crossOrigin: true, topOrigin: 'https://example.com' },
    signature:
      '3045022100b5a70c81780d5fcc9a4f2ae9caae99058f8accaf58b91fb59329646c28ac6ffc022012e101c165db3c8e9957f0c54dd6ca9b56bc3bd2f280bd2faa6c1d02c6e5c171',
  },
  {
    name: 'none.ES256.long-credential-id',
    alg: 'ES256',
    credentialIdLength: 1023,
    signature:
      '304502203ecef83fb12a0cae7841055f9f87103a99fd14b424194bbf06c4623d3ee6e3fd022100d2ace346db262b1374a6b70faa51f518a42ddca13a4125ce6f5052a75bac9fb6',
  },
  {
    name: 'packed.ES256',
    alg: 'ES256',
    certified: true,
    signature:
      '30450220694969d3ee928de6f02ef23a9c644d7d779916451734a94b432542f498a1ebe90221008b0819c824218a97152cd099c55bfb1477b29d900a49a64018314f9bfccda163',
  },
  {
    name: 'packed.RS256',
    alg: 'RS256',
    certified: true,
    signature:
      '01063d52d7c39b4d432fc7063c5d93e582bdcb16889cd71f888d67d880ea730a428498d3bc8e1ee11f2b1ecbe6c292b118c55ffaaddefa8cad0a54dd137c51f1eec673f1bb6c4d1789d6826a222b22d0f585fc901fdc933212e579d199b89d672aa44891333e6a1355536025e82b25590256c3538229b55737083b2f6b9377e49e2472f11952f79fdd0da180b5ffd901b4049a8f081bb40711bef76c62aed943571f2d0575304cb549d68d8892f95086a30f93716aee818f8dc06e96c0d5e0ed4cfa9fd8773d90464b68cf140f7986666ff9c9e3302acd0535d60d769f465e2ab57ef8aabc89fccfef7ba32a64154a8b3d26be2298f470b8cc5377dbe3dfd4b0b45f8f01e63bde6cfc76b62771f9b70aa27cf40152cad93aa5acd784fd4b90f676e2ea828d0bf2400aebbaae4153e5838f537f88b6228346782a93a899be66ec77de45b3efcf311da6321c92e6b0cd11bfe653bf3e98cee8e341f02d67dbb6f9c98d9e8178090cfb5b70fbc6d541599ac794ae2f1d4de1286ec8de8c2daf7b1d15c8438e90d924df5c19045220a4c8438c1b979bbe016cf3d0eeec23c3999d4882cc645b776de930756612cdc6dd398160ff02a6',
  },
  {
    name: 'packed.EdDSA',
    alg: 'EdDSA',
    certified: true,
    signature:
      'f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b',
  },
];

const [UP, UV, BE, BS, AT] = [0x01, 0x04, 0x08, 0x10, 0x40] as const;

export const webauthnVectors: readonly WebauthnVector[] = RECIPES.map((recipe) => {
  const draw = drawer(recipe.name);
  const clientData = (type: string, challenge: Buffer): Buffer => {
    const extended = (draw(1)[0]! & 1) === 1;
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: challenge.toString('base64url'),
        origin: ORIGIN,
        ...(recipe.frame ?? { crossOrigin: false }),
        ...(extended && {
          extraData: `clientDataJSON may be extended with additional fields in the future, such as this: ${draw(16).toString('base64url')}`,
        }),
      }),
    );
  };

  const challenge = draw(32);
  const { jwk, coseKey } = keyOf(recipe.alg, () => draw(32));
  const clientDataJson = clientData('webauthn.create', challenge);
  const aaguid = draw(16);
  const credentialId = draw(recipe.credentialIdLength ?? 32);
  const bits = draw(1)[0]!;
  const eligible = bits & BE;
  if (recipe.certified) draw(32);
  if (recipe.certified) draw(16);
  const idLength = Buffer.alloc(2);
  idLength.writeUInt16BE(credentialId.length);
  const attested = Buffer.concat([aaguid, idLength, credentialId, coseKey]);
  const flags = UP | AT | (bits & UV) | eligible | (eligible ? bits & BS : 0);
  const registration = {
    challenge,
    clientDataJson,
    authenticatorData: Buffer.concat([dataOf(flags), attested]),
  };

  const nonce = draw(32);
  const authenticated = clientData('webauthn.get', nonce);
  const nowBits = draw(1)[0]!;
  return {
    ...{ name: recipe.name, jwk, coseKey, credentialId, registration },
    authentication: {
      challenge: nonce,
      clientDataJson: authenticated,
      authenticatorData: dataOf(UP | (nowBits & UV) | eligible | (eligible ? nowBits & BS : 0)),
      signature: Buffer.from(recipe.signature, 'hex'),
    },
  };
});

function drawer(info: string): (length: number) => Buffer {
  let salt = 0;
  return (length) =>
    Buffer.from(hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([salt++]), info, length));
}

/** Authenticator data up to the counter, which the vectors leave at 0. */
function dataOf(flags: number): Buffer {
  return Buffer.concat([sha256(RP_ID), Buffer.from([flags, 0, 0, 0, 0])]);
}

function keyOf(alg: Recipe['alg'], secret: () => Buffer): { jwk: JsonObject; coseKey: Buffer } {
  if (alg === 'RS256') {
    // The two smallest Mersenne primes of at least 1024 bits.
    const modulus = (2n ** 1279n - 1n) * (2n ** 2203n - 1n);
    const n = Buffer.from(modulus.toString(16).padStart(872, '0'), 'hex');
    return {
      jwk: { kty: 'RSA', n: n.toString('base64url'), e: 'AQAB' },
      coseKey: Buffer.concat([
        Buffer.from('a401030339010020', 'hex'),
        Buffer.from('5901b4', 'hex'),
        n,
        Buffer.from('2143010001', 'hex'),
      ]),
    };
  }
  if (alg === 'EdDSA') {
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret()]);
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
    const { x = '' } = key.export({ format: 'jwk' });
    return {
      jwk: { kty: 'OKP', crv: 'Ed25519', x },
      coseKey: Buffer.concat([
        Buffer.from('a4010103272006215820', 'hex'),
        Buffer.from(x, 'base64url'),
      ]),
    };
  }
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret());
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  return {
    jwk: { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') },
    coseKey: Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      x,
      Buffer.from('225820', 'hex'),
      y,
    ]),
  };
}
