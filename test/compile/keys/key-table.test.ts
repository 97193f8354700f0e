import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';
import { schemaKeys } from '../../support/schema-keys.js';

test('every key of every schema has a row', () => {
  const rows = new Set(KEY_TABLE.map((row) => row.key));

  expect(schemaKeys().filter((key) => !rows.has(key))).toEqual([]);
});

test('every row names a key of a schema', () => {
  const keys = new Set(schemaKeys());

  expect(KEY_TABLE.map((row) => row.key).filter((key) => !keys.has(key))).toEqual([]);
});

test('no key has two rows', () => {
  const keys = KEY_TABLE.map((row) => row.key);

  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
