import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkManifest } from '../../src/host/manifest.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';

const schema = JSON.parse(
  await readFile(new URL('../../schemas/plugin-manifest.schema.json', import.meta.url), 'utf8'),
);
const schemas = await loadJsonSchemas();

const good = { id: 'acme.x', name: 'x', title: 'X', module: './dist/x.js', effects: [] };
const withContribution = (change: object): object => ({
  manifestVersion: 1,
  api: '^1.0.0',
  contributes: { executors: [{ ...good, ...change }] },
});

const MANIFESTS: readonly (readonly [string, unknown, boolean])[] = [
  ['nothing but the version', { manifestVersion: 1, api: '^1.0.0' }, true],
  ['one contribution', withContribution({}), true],
  [
    'every key',
    withContribution({
      configSchema: './s.json',
      effects: ['network', 'secrets'],
      env: ['TOKEN'],
      adapters: ['./a.yaml'],
    }),
    true,
  ],
  ['no object', [], false],
  ['null', null, false],
  ['another manifestVersion', { manifestVersion: 2, api: '^1.0.0' }, false],
  ['no api', { manifestVersion: 1 }, false],
  ['an api without a number', { manifestVersion: 1, api: '*' }, false],
  ['an unknown key', { manifestVersion: 1, api: '^1.0.0', hooks: {} }, false],
  ['an unknown point', { manifestVersion: 1, api: '^1.0.0', contributes: { wizards: [] } }, false],
  ['a point that is not a list', { manifestVersion: 1, api: '^1.0.0', contributes: { executors: {} } }, false],
  ['an id without a publisher', withContribution({ id: 'x' }), false],
  ['an id in capitals', withContribution({ id: 'Acme.X' }), false],
  ['no title', withContribution({ title: '' }), false],
  ['an absolute module', withContribution({ module: '/x.js' }), false],
  ['a module outside the package', withContribution({ module: './../x.js' }), false],
  ['a module outside by a detour', withContribution({ module: './dist/../../x.js' }), false],
  ['an unknown effect', withContribution({ effects: ['magic'] }), false],
  ['no effects', withContribution({ effects: undefined }), false],
  ['a lower-case variable', withContribution({ env: ['token'] }), false],
  ['an unknown key of a contribution', withContribution({ priority: 1 }), false],
];

describe('the manifest check', () => {
  it.each(MANIFESTS)('judges %s as its schema does', (_name, manifest, isValid) => {
    const value: unknown = JSON.parse(JSON.stringify(manifest));

    expect(checkManifest(value).ok).toBe(isValid);
    expect(schemas.validate(schema, value).length === 0).toBe(isValid);
  });

  it('says where the mistake is', () => {
    expect(checkManifest(withContribution({ effects: ['magic'] }))).toEqual({
      ok: false,
      message:
        'kit.contributes.executors[0].effects has an unknown effect "magic"; known are network, subprocess, filesystem, secrets',
    });
  });
});
