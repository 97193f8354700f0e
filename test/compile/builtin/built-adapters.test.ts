import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledAdapters } from '../../../src/compile/builtin/load-adapters.js';
import { BUILT_ADAPTERS } from '../../../src/compile/generated/adapters.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import { sha256Hex } from '../../../src/lib/sha256.js';

const root = join(import.meta.dirname, '../../..');
const files = globSync('plugins/*/adapters/*', { cwd: root }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('the build reads every adapter of a plugin of kit, and no other text', () => {
  expect(files.length).toBeGreaterThan(3);
  expect(Object.keys(BUILT_ADAPTERS).sort()).toEqual(files.map((path) => sha256Hex(read(path))).sort());
});

describe.each(files)('%s', (path) => {
  // With one line more at its end it is another text, which is read as that of any plugin is.
  const source = { path, text: read(path) };
  const other = { path, text: `${source.text}# read anew\n` };
  const [[id, built] = [], ...more] = [...bundledAdapters([source])];
  const [[, readAnew] = []] = [...bundledAdapters([other])];

  it('is what reading it anew gives, and fits its schema', () => {
    expect(more).toEqual([]);
    expect(BUILT_ADAPTERS[sha256Hex(other.text)]).toBeUndefined();
    expect(built?.value).toEqual(readAnew?.value);
    expect(built?.value).toMatchObject({ kind: 'ExecutorAdapter', metadata: { id } });
    expect(built === undefined ? null : checkSchema('ExecutorAdapter', built.value, built)).toEqual([]);
  });

  it('says where a value stands', () => {
    for (const pointer of ['/metadata/id', '/spec', '/spec/no-such-key']) {
      expect(built?.spanOf(pointer)).toEqual(readAnew?.spanOf(pointer));
      expect(built?.keySpanOf(pointer)).toEqual(readAnew?.keySpanOf(pointer));
    }
    expect(built?.spanOf('/metadata/id').start).toBeGreaterThan(0);
  });
});
