/** What connected clients cost: memory of bridge and resource server, with and without connections of their own. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { connectedTo, openGateway } from './gateway-ways.mjs';

const CLIENTS = 100;
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist',
  'index.js',
);

/** MiB for each hundred clients, of the second hundred: what the first one of anything loads is no client's. */
export async function crowd(say) {
  const results = {};
  for (const [kind, capabilities] of [
    ['shared', {}],
    ['own', { elicitation: { form: {}, url: {} } }],
  ]) {
    say(`${2 * CLIENTS} clients, ${kind} connections`);
    results[kind] = await measured(capabilities);
  }
  return { clients: CLIENTS, ...results };
}

async function measured(capabilities) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  // A server over HTTP, so that connections of one's own are not processes of one's own.
  const server = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await (await connectedTo(url, undefined)).close();
  const gateway = await openGateway({ url, max_lanes: 1000 });
  const clients = [];
  try {
    const token = await gateway.token('crowd');
    const resident = () => ({
      bridge: residentMiB(gateway.pidOf('bridge')),
      rs: residentMiB(gateway.pidOf('rs')),
    });
    const add = async () => {
      for (let n = 0; n < CLIENTS; n += 1) {
        const client = await connectedTo(gateway.url, token, capabilities);
        clients.push(client);
        await client.callTool({ name: 'everything__echo', arguments: { message: String(n) } });
      }
      // As many calls again, so that what is only garbage has had its chance to go.
      for (const client of clients)
        await client.callTool({ name: 'everything__echo', arguments: { message: 'again' } });
    };
    await add();
    const before = resident();
    await add();
    const after = resident();
    return { bridge: after.bridge - before.bridge, rs: after.rs - before.rs, before, after };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await gateway.close();
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await gone;
  }
}

function residentMiB(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
