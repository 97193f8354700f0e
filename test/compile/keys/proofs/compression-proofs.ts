import type { RunProof } from './proof.js';

const BLOCK = 'Workspace.context_compression';
const OVERRIDE = `${BLOCK}.overrides.*`;
/** Prints a table of 300 rows, which both backends take. */
const LONG = {
  'Workspace.command_packs.*.commands.*.argv': [
    'awk',
    'BEGIN { printf "["; for (i = 0; i < 300; i++) printf "%s{\\"id\\":%d,\\"state\\":\\"open\\"}", i ? "," : "", i; print "]" }',
  ],
};
const override = (fields: Readonly<Record<string, unknown>>) => ({
  ...LONG,
  [`${BLOCK}.overrides`]: [{ match: '*', ...fields }],
});
const env = { TOKEN: 'secret-one', OTHER: 'a-longer-secret' };

const PROOFS: readonly RunProof[] = [
  { key: `${BLOCK}.backend`, a: 'columnar', b: 'headtail', given: LONG },
  {
    key: `${BLOCK}.backend_class`,
    a: 'one',
    b: 'two',
    given: { [`${BLOCK}.backend`]: 'plugin' },
    refusesBoth: 'KIT_WORKSPACE_INVALID',
  },
  { key: `${BLOCK}.min_bytes`, a: 100, b: 100_000, given: { ...LONG, [`${BLOCK}.backend`]: 'columnar' } },
  { key: `${OVERRIDE}.match`, a: '*say', b: 'none', given: override({ backend: 'columnar' }) },
  { key: `${OVERRIDE}.backend`, a: 'columnar', b: 'headtail', given: override({}) },
  {
    key: `${OVERRIDE}.backend_class`,
    a: 'one',
    b: 'two',
    given: override({ backend: 'plugin' }),
    refusesBoth: 'KIT_WORKSPACE_INVALID',
  },
  { key: `${OVERRIDE}.min_bytes`, a: 100, b: 100_000, given: override({ backend: 'columnar' }) },
];

/** Keys of `context_compression`; results come from a command. */
export const COMPRESSION_PROOFS: readonly RunProof[] = PROOFS.map((proof) => ({ ...proof, run: { env } }));
