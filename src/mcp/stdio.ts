import {
  StdioServerTransport,
  type StdioServerHandle,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import type { Server } from '@modelcontextprotocol/server';
import { Transform, type Readable, type Writable } from 'node:stream';
import { Refusal, problemOf } from '../contract/errors.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { type Caller, MAX_BODY_BYTES } from '../contract/wire.js';
import { peerOfEnvelope } from './connection.js';
import type { LegacyPorts } from './legacy-http.js';
import { type Peer, peerOf } from './peer.js';
import { malformedRetry } from './raw-message.js';
import { mcpServer } from './server.js';

/** Serves one client over stdio, of either era. `caller` is asked on every call, so a revoked token stops working. */
export function stdioServer(
  ports: LegacyPorts,
  caller: () => Caller,
  stdin: Readable,
  stdout: Writable,
): StdioServerHandle {
  const lines = stdin.pipe(strictLines(stdout));
  return serveStdio(
    ({ era }) => {
      const legacyPeer = (): Peer =>
        peerOf(
          server.getClientCapabilities(),
          server.getClientVersion(),
          server.getNegotiatedProtocolVersion() ?? '',
        );
      const server: Server = mcpServer(
        {
          era,
          caller,
          peer: (ctx) => (era === 'modern' ? peerOfEnvelope(ctx) : legacyPeer()),
          announceWhenDecided: (required) =>
            ports.announcements.watch(required.consentId, required, () => {
              server
                .createElicitationCompletionNotifier(required.consentId)()
                .catch(() => undefined);
            }),
        },
        ports,
      );
      return server;
    },
    { transport: new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_BODY_BYTES }) },
  );
}

/** Passes on lines that are acceptable JSON; answers the others here, since the SDK's own parser would take duplicates. */
function strictLines(stdout: Writable): Transform {
  let rest = '';
  const check = (line: string): string => {
    if (line.trim() === '') return '';
    try {
      const malformed = malformedRetry(parseStrictJson(line, 'bridge'));
      if (malformed === undefined)
        return `${line}
`;
      stdout.write(`${JSON.stringify(malformed)}
`);
      return '';
    } catch (error) {
      const problem = problemOf(
        error instanceof Refusal ? error : new Refusal('MalformedJson', 'bridge'),
      );
      const answer = {
        jsonrpc: '2.0',
        error: { code: -32_700, message: problem.title, data: problem },
        id: null,
      };
      stdout.write(`${JSON.stringify(answer)}\n`);
      return '';
    }
  };
  return new Transform({
    decodeStrings: true,
    transform(chunk: Buffer, _encoding, done) {
      rest += decoder.decode(chunk, { stream: true });
      if (rest.length > MAX_BODY_BYTES && !rest.includes('\n')) {
        done(new Refusal('PayloadTooLarge', 'bridge'));
        return;
      }
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map(check).join(''));
    },
  });
}

const decoder = new TextDecoder();
