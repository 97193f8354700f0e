import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownValidators } from '../../../src/lib/generated/known-validators.js';
import { loadJsonSchemas } from '../../../src/lib/json-schema.js';

const root = join(import.meta.dirname, '../../..');

interface Manifest {
  readonly kit?: { readonly contributes?: Readonly<Record<string, readonly { readonly configSchema?: string }[]>> };
}

/** Every schema that a manifest of a bundled plugin names, as the plugin host reads it. */
const named = [
  ...new Set(
    globSync('plugins/*/package.json', { cwd: root }).flatMap((manifest) => {
      const { kit } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as Manifest;
      return Object.values(kit?.contributes ?? {})
        .flat()
        .flatMap(({ configSchema }) => (configSchema === undefined ? [] : [join(dirname(manifest), configSchema)]));
    }),
  ),
].sort();

const read = (path: string): object => JSON.parse(readFileSync(join(root, path), 'utf8')) as object;

/** Of each type, in and out of bounds, for every key that the schema knows. */
function valuesFor(schema: { readonly properties?: object }): readonly unknown[] {
  const keys = Object.keys(schema.properties ?? {});
  const some: readonly unknown[] = [true, 0, -1.5, 1e9, '', 'x', 'http://a.test', null, [], [1, 1], ['a'], { a: 1 }];
  const one = keys.flatMap((key) => some.map((value) => ({ [key]: value })));
  const all = some.map((value) => Object.fromEntries(keys.map((key) => [key, value])));
  return [...some, ...one, ...all, { [keys[0] ?? 'a']: 'x', unknown_key: 1 }];
}

/** The same schema by another text, which therefore is compiled here and now. */
const unknown = (schema: object): object => ({ ...schema, $comment: 'compiled at run time' });

describe('validators of bundled plugins that the build compiles', () => {
  it('are there for every schema that a manifest names', () => {
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !knownValidators.has(JSON.stringify(read(path))))).toEqual([]);
    expect([...knownValidators.keys()].sort()).toEqual(
      [...new Set(named.map((path) => JSON.stringify(read(path))))].sort(),
    );
  });

  it.each(named)('say of every value what one compiled at run time says: %s', async (path) => {
    const schema = read(path);
    const schemas = await loadJsonSchemas();
    const compiled = unknown(schema);
    const values = valuesFor(schema);
    expect(knownValidators.has(JSON.stringify(compiled))).toBe(false);

    const reported = values.map((value) => schemas.validate(schema, value));
    expect(reported.some((issues) => issues.length > 0)).toBe(true);
    expect(reported).toEqual(values.map((value) => schemas.validate(compiled, value)));
  });

  it('judge nothing by a schema that was changed', async () => {
    const path = named.find((one) => one.endsWith('server.json'))!;
    const schema = read(path);
    const schemas = await loadJsonSchemas();
    const changed = { ...schema, required: ['a_new_key'] };
    const missing = { pointer: '', rule: 'required', message: '"a_new_key" is missing' };

    expect(schemas.validate(schema, {})).not.toContainEqual(missing);
    expect(schemas.validate(changed, {})).toContainEqual(missing);
  });
});
