import { expect, it } from 'vitest';
import { verifyProof } from '../../../src/govern/proof/verify-proof.js';

const DEPTH = 200_000;

it.each([
  ['nested lists', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}\n`],
  ['nested members', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}\n`],
  ['a number that JSON cannot write', '{"kind":"kit-gate-proof","n":1e999}\n'],
])('a file of %s is no proof, and nothing breaks', (_what, text) => {
  expect(verifyProof(Buffer.from(text), { keys: [], misfit: () => null })).toMatchObject({ kind: 'unreadable' });
});
