/**
 * Claim: A body of another media type, as a form of another site can send, is read by no service.
 * Enforced by: src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { send, surfaces } from '../support/surfaces.js';

attack('all four refuse other media types and encodings by a typed code', async ({ world }) => {
  for (const surface of surfaces(world)) {
    const body = surface.body('"t-1"');
    expect((await send(surface, body)).status).toBeLessThan(300);
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/jsonp' },
      { 'content-type': '' },
    ]) {
      const answer = await send(surface, body, headers);
      expect
        .soft(answer, `${headers['content-type']} at ${surface.layer}`)
        .toMatchObject({ status: 400, code: 'MalformedRequest', layer: surface.layer });
    }
  }
});
