import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/contract/errors.js';
import { ConfigError } from './config.js';

export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  /** SHA-256 of the body, base64url; part of the address the pages use, so that it may be cached for ever. */
  readonly hash: string;
}
export type Assets = ReadonlyMap<string, Asset>;

/**
 * The bundled scripts, the style sheet and the icon, read once into memory: no path of a request ever reaches the disk.
 * @throws ConfigError when the scripts have not been built
 */
export function loadAssets(root: string): Assets {
  const scripts = join(root, 'dist/consent-ui/browser');
  const views = join(root, 'consent-ui/views');
  if (!existsSync(scripts)) throw new ConfigError(`${scripts} is missing: run \`npm run build\``);
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(scripts).filter((file) => file.endsWith('.js'))) {
    assets.set(name, assetOf(readFileSync(join(scripts, name)), 'text/javascript; charset=utf-8'));
  }
  assets.set(
    'style.css',
    assetOf(readFileSync(join(views, 'style.css')), 'text/css; charset=utf-8'),
  );
  assets.set('icon.svg', assetOf(readFileSync(join(views, 'icon.svg')), 'image/svg+xml'));
  return assets;
}

export function assetOf(body: Buffer, type: string): Asset {
  return { body, type, hash: createHash('sha256').update(body).digest('base64url') };
}

/** `GET /assets/<name>` */
export function registerAssetRoutes(app: FastifyInstance, assets: Assets): void {
  app.get<{ Params: { name: string }; Querystring: { v?: string } }>(
    '/assets/:name',
    (request, reply) => {
      const asset = assets.get(request.params.name);
      if (asset === undefined) throw new Refusal('NotFound', 'consent-ui');
      const current = request.query.v === asset.hash;
      reply.header('cache-control', current ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.type(asset.type).send(asset.body);
    },
  );
}
