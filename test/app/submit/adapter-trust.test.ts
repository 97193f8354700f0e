import { expect, it } from 'vitest';
import {
  adapterDigest,
  approveOrRefuse,
  type TrustEntry,
  type TrustStore,
  untrustedAdapters,
} from '../../../src/app/submit/adapter-trust.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Workspace } from '../../../src/domain/workspace.js';

const OURS = { launch: { command: ['runner', '{task.statement}'] }, stream: { format: 'jsonl' } };
const FORGED = { launch: { command: ['sh', '-c', 'anything'] }, stream: { format: 'jsonl' } };

/** The parts of a workspace that the check reads. */
const workspace = (path: string, spec: JsonObject): Workspace =>
  ({ root: '/w', adapters: new Map([['runner', { path, raw: { spec } }]]) }) as unknown as Workspace;
const frozen = (spec: JsonObject, digest = adapterDigest(spec)) => ({
  runner: { spec, digest, source: 'bundled' as const },
});

function memory(): TrustStore & { readonly added: TrustEntry[] } {
  const added: TrustEntry[] = [];
  return {
    added,
    has: async (entry) => added.some((one) => JSON.stringify(one) === JSON.stringify(entry)),
    add: async (entry) => void added.push(entry),
    last: async () => null,
  };
}

it('reads a spec for its digest once, however often a server asks', async () => {
  let reads = 0;
  const spec: JsonObject = {
    get launch() {
      reads += 1;
      return OURS.launch;
    },
  };

  expect(adapterDigest(spec)).toBe(adapterDigest({ launch: OURS.launch }));
  const readOnce = reads;
  expect(adapterDigest(spec)).toBe(adapterDigest({ launch: OURS.launch }));

  expect(reads).toBe(readOnce);
});

it('asks for no approval of what kit brings itself', async () => {
  expect(
    await untrustedAdapters(memory(), { workspace: workspace('bundled:runner.yaml', OURS), adapters: frozen(OURS) }),
  ).toEqual([]);
});

it('believes no recorded run that its adapter is a bundled one', async () => {
  const changed = { workspace: workspace('bundled:runner.yaml', OURS), adapters: frozen(FORGED, adapterDigest(OURS)) };
  const shadowed = { workspace: workspace('adapters/runner.yaml', OURS), adapters: frozen(OURS) };

  expect(await untrustedAdapters(memory(), changed)).toMatchObject([
    { digest: adapterDigest(FORGED), command: ['sh', '-c', 'anything'] },
  ]);
  expect(await untrustedAdapters(memory(), shadowed)).toMatchObject([{ path: 'adapters/runner.yaml' }]);
});

it('records the digests that a person names and refuses every other', async () => {
  const trust = memory();
  const of = { workspace: workspace('adapters/runner.yaml', OURS), adapters: frozen(OURS) };

  await expect(approveOrRefuse(trust, { ...of, digests: ['0'.repeat(64)] })).rejects.toMatchObject({
    code: 'KIT_ADAPTER_UNTRUSTED',
  });
  expect(trust.added).toEqual([]);
  await approveOrRefuse(trust, { ...of, digests: [adapterDigest(OURS)] });
  expect(trust.added).toEqual([{ workspace: '/w', adapter: 'runner', digest: adapterDigest(OURS) }]);
  await expect(approveOrRefuse(trust, { ...of, digests: [] })).resolves.toBeUndefined();
});

it('refuses a digest that no adapter of the run has', async () => {
  const of = { workspace: workspace('bundled:runner.yaml', OURS), adapters: frozen(OURS) };

  await expect(approveOrRefuse(memory(), { ...of, digests: ['0'.repeat(64)] })).rejects.toMatchObject({
    code: 'KIT_USAGE',
  });
});

it('asks about each variable that a program is handed, also where kit brings the adapter', async () => {
  const trust = memory();
  const adapters = {
    runner: { spec: OURS, digest: adapterDigest(OURS), source: 'bundled' as const, env: ['GATEWAY'] },
  };
  const of = { workspace: workspace('bundled:runner.yaml', OURS), adapters };

  const [asked, ...more] = await untrustedAdapters(trust, of);
  expect(more).toEqual([]);
  expect(asked).toMatchObject({ id: 'runner', variable: 'GATEWAY' });
  await expect(approveOrRefuse(trust, { ...of, digests: [] })).rejects.toThrow('hands the variable GATEWAY to');
  await approveOrRefuse(trust, { ...of, digests: [asked?.digest ?? ''] });
  expect(await untrustedAdapters(trust, of)).toEqual([]);
  const other = { ...of, adapters: { runner: { ...adapters.runner, env: ['GATEWAY', 'SECRET'] } } };
  expect(await untrustedAdapters(trust, other)).toMatchObject([{ variable: 'SECRET' }]);
});
