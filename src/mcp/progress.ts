import type { ServerContext } from '@modelcontextprotocol/server';

const EVERY_MS = 5000;

/** While a call waits for a person, tells a client that asked for progress how long it has waited. Returns the stop. */
export function reportProgress(ctx: ServerContext, totalSeconds: number): () => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let waited = 0;
  const send = (): void => {
    const params = {
      progressToken,
      progress: waited,
      total: totalSeconds,
      message: 'Waiting for a person to approve',
    };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    waited += EVERY_MS / 1000;
  };
  send();
  const timer = setInterval(send, EVERY_MS);
  return () => clearInterval(timer);
}
