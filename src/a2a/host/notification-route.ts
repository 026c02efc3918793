import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contract/errors.js';
import type { RemoteCalls } from './remote-calls.js';

/** Where agents say that a task of ours moved. The body is not even parsed: the task is asked for instead. */
export function notificationRoute(app: FastifyInstance, remote: RemoteCalls): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, parsed) =>
      parsed(null),
    );
    scope.post<{ Params: { id: string } }>('/a2a/notifications/:id', async (request, reply) => {
      const token = request.headers['x-a2a-notification-token'];
      if (typeof token !== 'string' || !remote.notified(request.params.id, token))
        throw new Refusal('NotFound', 'bridge');
      return reply.status(204).send();
    });
    done();
  });
}
