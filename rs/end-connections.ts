import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * Lets a stop wait for answers and for nothing else: what is answered while the server stops is the last on its
 * connection, and a connection on which nothing was asked yet is ended.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false;
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    silent.delete(socket);
    response.once('finish', () => {
      if (closing) socket.end();
    });
  });
  app.addHook('preClose', (done) => {
    closing = true;
    for (const socket of silent) socket.destroy();
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}
