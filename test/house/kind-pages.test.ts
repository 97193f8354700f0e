import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configRows } from '../../scripts/lib/config-page.mjs';
import { type KeySchema, meaningOf, sampleOf } from '../../scripts/lib/key-tables.mjs';
import { kindPages, kindRows } from '../../scripts/lib/kind-pages.mjs';
import { SCHEMA_KEYS } from '../../src/compile/generated/keys.js';
import { projectRoot } from '../support/kit-process.js';
import { readText } from '../support/markdown.js';

const { pages, since } = await kindPages(projectRoot);
const kinds = await kindRows(projectRoot);
const configs = await configRows();
/** All that has a table of its keys. */
const tables = [...kinds, ...configs];

const folder = join(projectRoot, 'schemas/kinds');
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const name of readdirSync(folder)) ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')), name);

/** Keys of the tables of a page, as they stand there. */
const keysIn = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([^`]+)` \| /gm)].map(([, key]) => key ?? '');

/** `*` for an item and a name; an agent below an agent is an agent: as `schemaKeys` has it. */
const canonical = (title: string, path: string): string =>
  `${title}.${path.replaceAll('[]', '.*').replaceAll('<name>', '*')}`
    .replace(/^Topology\.agents\.root/, 'Topology.agents.*')
    .replace(/^(Topology\.agents\.\*)\.children\.\*\./, '$1.');

/** What declarations say of a value itself: what they refer to stands beside them. */
const plainOf = (declared: readonly KeySchema[]): readonly KeySchema[] =>
  declared
    .filter(({ type, enum: choices, const: fixed }) => type ?? choices ?? fixed)
    .map((schema) =>
      Object.fromEntries(
        Object.entries(schema).filter(
          ([key]) => !['items', 'additionalProperties', 'properties', 'oneOf', 'anyOf', 'allOf'].includes(key),
        ),
      ),
    );

const defaultIn = (declared: readonly KeySchema[]): unknown =>
  declared.map((schema) => schema['x-default']).find((one) => one !== undefined);

const fitsOne = (schemas: readonly KeySchema[], value: unknown): boolean => ajv.compile({ anyOf: schemas })(value);

describe('the pages of the kinds', () => {
  it('are what the schemas say (node scripts/kind-pages.mjs writes them)', () => {
    const there = readdirSync(join(projectRoot, 'docs/kinds')).map((name) => `docs/kinds/${name}`);
    expect(there.sort()).toEqual([...pages.keys()].sort());
    for (const [path, text] of pages) expect(readText(path), 'node scripts/kind-pages.mjs').toBe(text);
    expect(JSON.parse(readText('scripts/lib/key-since.json'))).toEqual(since);
  });

  it('have a row for each key of the schemas, as another reader of them finds them, and each row is a key', () => {
    const rows = new Map(kinds.map(({ name, rows: of }) => [name, of.map(({ path }) => path)]));
    for (const [name, paths] of rows)
      expect([...keysIn(pages.get(`docs/kinds/${name}.md`) ?? '')].sort()).toEqual([...paths].sort());
    const reported = new Set(
      kinds.flatMap(({ schema, rows: of }) => of.map(({ path }) => canonical(schema.title, path))),
    );
    expect(SCHEMA_KEYS.filter((key) => !reported.has(key) && !/\.\*(_map)?$/.test(key))).toEqual([]);
    const known = SCHEMA_KEYS;
    const invented = [...reported].filter(
      (key) => !known.some((other) => other === key || other.startsWith(`${key}.`)),
    );
    expect(invented).toEqual([]);
  });

  it('say of each key what it is for', () => {
    const words = JSON.parse(readText('scripts/lib/key-words.json'));
    const mute = tables.flatMap(({ name, rows }) =>
      rows
        .filter((row) => {
          const hasKeys = rows.some(({ path }) => path.startsWith(`${row.path}.`) || path.startsWith(`${row.path}[`));
          return meaningOf(row, words) === '' && !hasKeys;
        })
        .map(({ path }) => `${name}: ${path}`),
    );
    expect(mute).toEqual([]);
  });

  it('say a default that is one value as x-default, which the Default column shows, and never by hand', () => {
    const words = JSON.parse(readText('scripts/lib/key-words.json'));
    // `Default: as input.` is a rule, `Default 5` and `Default: 5.` are values.
    const byHand = /\bdefault\b(?!:)|\bdefault: `?[^\s;,]+`?(?:\.\s|\.?$)/i;
    const reported = tables.flatMap(({ name, rows }) =>
      rows.filter((row) => byHand.test(meaningOf(row, words))).map(({ path }) => `${name}: ${path}`),
    );
    expect(reported).toEqual([]);
    expect(pages.get('docs/kinds/workspace.md')).toContain(
      '| `server.jobs.lease_seconds` | whole number of seconds, 3 to 3600 | `60` |',
    );
    expect(pages.get('docs/kinds/plugin-config.md')).toContain('| `timezone` | text | `UTC` |');
  });

  it('say the unit of a number as x-unit, which the Type column shows, and never by hand', () => {
    const words = JSON.parse(readText('scripts/lib/key-words.json'));
    const units: Readonly<Record<string, string>> = {
      ms: 'milliseconds',
      s: 'seconds',
      seconds: 'seconds',
      minutes: 'minutes',
      hours: 'hours',
      days: 'days',
      usd: 'USD',
      tokens: 'tokens',
    };
    const byHand =
      /\bin (?:milli)?(?:seconds|characters|bytes|tokens|USD)\b|^(?:Milliseconds|Seconds|Hours|Days|USD)\b/;
    const wrong = tables.flatMap(({ name, rows }) =>
      rows
        .filter((row) => row.declared.some(({ type }) => type === 'integer' || type === 'number'))
        .filter((row) => {
          const unit = row.declared.map((schema) => schema['x-unit']).find((one) => one !== undefined);
          const named = units[/_([a-z]+)$/.exec(row.path)?.[1] ?? ''];
          return (named !== undefined && named !== unit) || byHand.test(meaningOf(row, words));
        })
        .map(({ path }) => `${name}: ${path}`),
    );
    expect(wrong).toEqual([]);
    expect(pages.get('docs/kinds/workspace.md')).toContain(
      '| `context_compression.min_bytes` | whole number of characters,',
    );
  });

  it('tell of each key of a plugin that its schema declares, one table for each schema', () => {
    const page = pages.get('docs/kinds/plugin-config.md') ?? '';
    const keys = configs.map(({ path, rows }) => {
      const [, after = ''] = page.split(`Schema: \`${path}\`.\n`);
      return [path, keysIn(after.split('\n## ', 1)[0] ?? ''), rows.map((row) => row.path)] as const;
    });
    expect(keys.length).toBeGreaterThan(15);
    for (const [path, reported, declared] of keys) expect([path, reported]).toEqual([path, declared]);
  });

  it('leave `default`, which nothing reads, out of the schemas of plugins', () => {
    const wrong = configs.flatMap(({ path, rows }) =>
      rows
        .filter(({ declared }) => declared.some((schema) => 'default' in schema))
        .map((row) => `${path}: ${row.path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('say the same default of server.auth.config in the workspace and in the schema of the provider', () => {
    const common = configs
      .filter(({ name }) => name === 'auth/jwt' || name === 'auth/none')
      .flatMap(({ rows }) => rows.map(({ path, declared }) => ({ path, own: defaultIn(declared) })))
      .flatMap(({ path, own }) => {
        const row = kinds
          .find(({ name }) => name === 'workspace')
          ?.rows.find((other) => other.path === `server.auth.config.${path}`);
        return row === undefined ? [] : [[path, own, defaultIn(row.declared)]];
      });
    expect(common.map(([path]) => path)).toContain('audience');
    for (const [path, own, workspace] of common) expect([path, own]).toEqual([path, workspace]);
  });

  it.each(tables)('have defaults of $name that are valid', ({ rows }) => {
    const wrong = rows.flatMap((row) => {
      const value = defaultIn(row.declared);
      return value === undefined || fitsOne(plainOf(row.declared), value) ? [] : [row.path];
    });
    expect(wrong).toEqual([]);
  });

  it.each(kinds)('has a whole file of $name that fits its schema', ({ name, example }) => {
    const validate = ajv.getSchema(`${name}.schema.json`);
    expect(validate?.(parse(readText(example)))).toBe(true);
    expect(validate?.errors).toBeNull();
    expect(pages.get(`docs/kinds/${name}.md`)).toContain(readText(example).trimEnd());
  });

  it.each(tables)('gives examples of keys of $name that are valid', ({ rows }) => {
    const wrong = rows.flatMap((row) => {
      const sample = sampleOf(row);
      const own = plainOf(row.declared);
      if (sample === null || own.length === 0) return [];
      const inner = Array.isArray(sample) ? sample : typeof sample === 'object' ? Object.values(sample) : [];
      const below = plainOf(Array.isArray(sample) ? row.items : row.values);
      const fits = fitsOne(own, sample) && inner.every((value) => fitsOne(below, value));
      return fits ? [] : [`${row.path}: ${JSON.stringify(sample)}`];
    });
    expect(wrong).toEqual([]);
  });
});
