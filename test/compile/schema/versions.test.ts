import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical-json.js';

const folder = new URL('../../../schemas/', import.meta.url);
const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const names = globSync('**/*.schema.json', { cwd: folder.pathname }).sort();
const recorded = read('versions.json') as Record<string, Record<string, string>>;

function digestOf(schema: Record<string, unknown>): string {
  const { 'x-version': _version, ...rest } = schema;
  return createHash('sha256').update(canonicalJson(rest)).digest('hex');
}

describe('versions of schemas', () => {
  test.each(names)('%s is recorded under its version, or carries a new one', (name) => {
    const schema = read(name);
    const version = schema['x-version'];

    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(
      recorded[name]?.[String(version)],
      'changed without a new x-version, or not recorded: node scripts/schema-versions.mjs',
    ).toBe(digestOf(schema));
  });

  test('no schema that was recorded has gone', () => {
    expect(Object.keys(recorded).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('a digest changes with a word and not with the order of keys', () => {
    expect(digestOf({ type: 'object', title: 'A', 'x-version': '1.0.0' })).toBe(
      digestOf({ title: 'A', type: 'object', 'x-version': '2.0.0' }),
    );
    expect(digestOf({ title: 'A' })).not.toBe(digestOf({ title: 'B' }));
  });
});
