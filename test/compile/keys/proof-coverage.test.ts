import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';

/** Whatever a file of `proofs/` exports as `..._PROOFS`. */
const FILES = globSync('*-proofs.ts', { cwd: new URL('proofs/', import.meta.url) });
const MODULES: readonly object[] = await Promise.all(FILES.map((file) => import(`./proofs/${file}`)));
const PROVEN = MODULES.flatMap((exported) => Object.entries(exported))
  .filter(([name]) => name.endsWith('_PROOFS'))
  .flatMap(([, proofs]: [string, readonly { readonly key: string }[]]) => proofs.map(({ key }) => key));

test('every key in force that is not a label has a proof', () => {
  const proven = new Set(PROVEN);
  const wanted = KEY_TABLE.filter((row) => row.state === 'in-force' && row.isLabel === undefined);

  const unproven = wanted.map((row) => row.key).filter((key) => !proven.has(key));

  expect(unproven, 'prove from outside that it does something: a file of test/compile/keys/proofs').toEqual([]);
});

test('no proof is left of a key that is not in force', () => {
  const inForce = new Set(KEY_TABLE.filter((row) => row.state === 'in-force').map((row) => row.key));

  expect(PROVEN.filter((key) => !inForce.has(key))).toEqual([]);
});

test('no key has two proofs', () => {
  expect(PROVEN.filter((key, index) => PROVEN.indexOf(key) !== index)).toEqual([]);
});
