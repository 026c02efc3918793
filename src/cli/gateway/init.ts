import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { displayText } from '../../contract/display.js';
import type { InitOptions } from '../commands/init.js';
import { Conversation } from '../conversation.js';
import { UsageError } from '../usage-error.js';
import { importServers } from './import.js';
import { type Seen, lookAt } from './look.js';
import { type Proposal, written } from './proposal.js';
import type { Upstream } from './schema.js';

/** Where clients keep their servers, relative to where they are used. */
const KNOWN = ['.mcp.json', '.vscode/mcp.json', 'claude_desktop_config.json'];

/** Writes a configuration file. Returns the exit code. */
export async function init(options: InitOptions): Promise<number> {
  const { out, force, yes } = options;
  if (existsSync(out) && force !== true)
    throw new UsageError(`${out} exists; --force replaces it, --out chooses another`);
  if (yes !== true && !process.stdin.isTTY)
    throw new UsageError('there is nobody to ask; say --yes with --import FILE');
  const from =
    options.import ?? (yes === true ? KNOWN.find((file) => existsSync(file)) : undefined);
  const upstreams = from === undefined ? await asked() : imported(from);
  const proposals: Proposal[] = [];
  for (const [name, upstream] of Object.entries(upstreams)) {
    say(`looking at ${name} …`);
    const seen = await look(name, upstream, from ?? '.');
    proposals.push({ name, upstream, seen });
  }
  writeFileSync(out, written(proposals), { mode: 0o600, flag: force === true ? 'w' : 'wx' });
  say(`wrote ${out}; read it, then: bridge up --config ${out}`);
  return 0;
}

function imported(file: string): Readonly<Record<string, Upstream>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`cannot read ${file}`);
  }
  const { upstreams, notes } = importServers(file, text);
  for (const note of notes) say(displayText(note));
  return upstreams;
}

async function asked(): Promise<Readonly<Record<string, Upstream>>> {
  const person = new Conversation();
  try {
    for (const file of KNOWN.filter((known) => existsSync(known))) {
      const answer = await person.ask(`Take the servers from ${file}? [Y/n] `);
      if (!/^n/i.test(answer)) return imported(file);
    }
    return await typedIn(person);
  } finally {
    person.close();
  }
}

async function typedIn(person: Conversation): Promise<Readonly<Record<string, Upstream>>> {
  const upstreams: Record<string, Upstream> = {};
  for (;;) {
    const name = await person.ask('Name of a server to protect (empty to end): ');
    if (name === '') return upstreams;
    const how = await person.ask('Its command line, or its https:// URL: ');
    const [command = '', ...args] = how.split(/\s+/).filter((word) => word !== '');
    const isUrl = /^https?:\/\//.test(how);
    Object.assign(
      upstreams,
      importServers(
        'this',
        JSON.stringify({ servers: { [name]: isUrl ? { url: how } : { command, args } } }),
      ).upstreams,
    );
  }
}

async function look(name: string, upstream: Upstream, from: string): Promise<Seen | undefined> {
  try {
    return await lookAt(upstream, dirname(resolve(from)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(
      displayText(`${name} could not be reached (${why.slice(0, 200)}); all its tools are gated`),
    );
    return undefined;
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
