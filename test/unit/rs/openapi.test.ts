import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApi } from '../../../rs/openapi.js';

const root = join(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

it('the published document is made from the schemas that check', () => {
  const file = join(root, 'rs/openapi.json');
  const text = `${JSON.stringify(openApi(version), null, 2)}\n`;
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, text);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
});

it('every route of the server is in it, and no other', () => {
  const routes = ['app.ts', 'run-routes.ts']
    .map((file) => readFileSync(join(root, 'rs', file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/app\.(?:get|post)(?:<[^(]*>)?\(\s*'([^']+)'/g)])
    .map(([, path = '']) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const { paths } = openApi(version) as { paths: object };
  expect(Object.keys(paths).sort()).toEqual(routes.sort());
});

it('nothing in it refers to what is not there', () => {
  const document = openApi(version) as { components: { schemas: object } };
  const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  for (const [, name = ''] of refs)
    expect(Object.keys(document.components.schemas)).toContain(name);
  expect(JSON.stringify(document)).not.toContain('"$ref":"#/$defs');
});
