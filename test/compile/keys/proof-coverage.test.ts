import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LABEL_KEYS, SCHEMA_KEYS } from '../../../src/compile/generated/keys.js';

/** Whatever a file of `proofs/` exports as `..._PROOFS`. */
const FILES = globSync('*-proofs.ts', { cwd: new URL('proofs/', import.meta.url) });
const MODULES: readonly object[] = await Promise.all(FILES.map((file) => import(`./proofs/${file}`)));
const PROVEN = MODULES.flatMap((exported) => Object.entries(exported))
  .filter(([name]) => name.endsWith('_PROOFS'))
  .flatMap(([, proofs]: [string, readonly { readonly key: string }[]]) => proofs.map(({ key }) => key));

test('every key that is not a label has a proof', () => {
  const proven = new Set(PROVEN);

  const unproven = SCHEMA_KEYS.filter((key) => !LABEL_KEYS.has(key) && !proven.has(key));

  expect(unproven, 'prove from outside that it does something: a file of test/compile/keys/proofs').toEqual([]);
});

test('no proof is left of a key that no schema has', () => {
  const known = new Set(SCHEMA_KEYS);

  expect(PROVEN.filter((key) => !known.has(key))).toEqual([]);
});

test('no key has two proofs', () => {
  expect(PROVEN.filter((key, index) => PROVEN.indexOf(key) !== index)).toEqual([]);
});
