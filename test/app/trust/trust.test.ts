import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrustApp } from '../../../src/app/trust/create-trust-app.js';
import { proposeTrust, readTrust } from '../../../src/app/trust/read-trust.js';
import { capabilityOf } from '../../../src/govern/harness/accrual.js';
import { createClock } from '../../../src/system/clock.js';
import { createFileEdits } from '../../../src/system/file-edits.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { lawfulWorlds } from '../../engine/laws.js';
import { bash } from '../../support/fake-claude.js';
import { answer, goOn } from '../../support/gated.js';
import { openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World } from '../../support/run-world.js';

const open = lawfulWorlds();
let repository: TestRepository;
let folder: string;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
  folder = mkdtempSync(join(tmpdir(), 'kit-test-trust-'));
  writeFileSync(join(folder, 'coder.yaml'), 'executor: # mine\n  kind: harness\n  config: { trust_threshold: 2 }\n');
});
afterEach(() => {
  repository.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const clock = createClock();
const ids = createIds(readWorkerHost());
const appOf = ({ stores }: World) =>
  createTrustApp({
    session: async () => ({ workspace: { archetypes: new Map([['coder', { path: 'coder.yaml' }]]) } }) as never,
    openStores: async () => stores,
    clock,
    ids,
    edits: createFileEdits(),
  });
const typesOf = async ({ stores }: World) =>
  (await stores.events.read({ limit: 1000 })).events
    .map(({ type }) => type)
    .filter((type) => type.startsWith('trust.'));

/** A session that asks about `npm test` as often as people decide about it. */
const start = (times: number): Promise<World> =>
  openHarness(open, {
    repository,
    archetype: 'coder',
    config: { trust_threshold: 2 },
    turns: Array.from({ length: times }, () => [bash('echo test')]),
  });

async function decided(world: World, decisions: readonly (readonly ['approve' | 'reject', string])[]): Promise<void> {
  await world.run();
  for (const [action, by] of decisions) {
    await answer(world, { action, by });
    await goOn(world);
  }
}

async function propose(world: World): Promise<readonly string[]> {
  const { events } = await world.stores.events.read({ limit: 1000 });
  return proposeTrust({ stores: world.stores, ids, clock }, events);
}

describe('approvals of calls of a harness', () => {
  it('propose an entry of permissions once there are enough, once, and apply nothing by themselves', async () => {
    const world = await start(3);
    await decided(world, [
      ['approve', 'ann'],
      ['approve', 'ben'],
    ]);
    const before = readFileSync(join(folder, 'coder.yaml'), 'utf8');
    const rows = await appOf(world).list({ workspace: folder });
    expect(await propose(world)).toEqual(rows.map(({ id }) => id));
    expect(await propose(world)).toEqual([]);
    expect(await typesOf(world)).toEqual(['trust.counted', 'trust.counted', 'trust.changeset_proposed']);
    expect(readFileSync(join(folder, 'coder.yaml'), 'utf8')).toBe(before);

    const app = appOf(world);
    const [row] = await app.list({ workspace: folder });
    expect(row).toMatchObject({ archetype: 'coder', kind: 'execute', match: 'echo test', approvals: 2, threshold: 2 });
    expect(row?.state).toBe('proposed');
    const ask = { workspace: folder, id: row?.id ?? '' };
    expect(await app.show(ask)).toMatchObject({ path: 'coder.yaml', entry: expect.stringContaining('"echo test"') });

    await app.apply({ ...ask, by: 'ann' });
    expect(readFileSync(join(folder, 'coder.yaml'), 'utf8')).toBe(
      'executor: # mine\n  kind: harness\n  config: { trust_threshold: 2, permissions: [{ kind: execute, match: "echo test", then: allow }] }\n',
    );
    expect((await app.list({ workspace: folder }))[0]?.state).toBe('applied');
    await expect(app.apply({ ...ask, by: 'ann' })).rejects.toThrow('applied already');
  });

  it('are reset and blocked by one denial, until somebody has them counted anew', async () => {
    const world = await start(4);
    await decided(world, [
      ['approve', 'ann'],
      ['reject', 'ben'],
      ['approve', 'ann'],
      ['approve', 'ann'],
    ]);
    const app = appOf(world);
    const [row] = await app.list({ workspace: folder });
    expect(row).toMatchObject({ approvals: 0, state: 'blocked' });
    await expect(app.apply({ workspace: folder, id: row?.id ?? '', by: 'ann' })).rejects.toThrow('rejected');
    expect(await app.clear({ workspace: folder, id: row?.id.slice(0, 5) ?? '', by: 'ann' })).toMatchObject({
      approvals: 0,
      state: 'counting',
    });
  });

  it('count for nothing where they are those of whoever submitted the run', async () => {
    const world = await start(2);
    await decided(world, [
      ['approve', 'tester'],
      ['approve', 'Tester'],
    ]);
    expect(await readTrust(world.stores)).toEqual(new Map());
  });
});

describe('what an approval counts for', () => {
  const facts = (kind: never, subject: string, place: string | null = null) => ({ kind, subject, place }) as never;
  it.each([
    ['execute', 'npm test', null, 'npm test'],
    ['execute', 'npm test; rm x', null, null],
    ['execute', 'rm *', null, null],
    ['mcp', 'notes/add', null, 'notes/add'],
    ['network', 'https://example.org', null, 'https://example.org'],
    ['edit', '/srv/a/b.txt', 'outside', '/srv/a/**'],
    ['edit', '.claude/settings.json', 'control', null],
    ['unknown', 'Thing', null, null],
    ['question', 'x', null, null],
  ])('%s %s (%s): %s', (kind, subject, place, match) => {
    expect(capabilityOf([], facts(kind as never, subject, place))?.match ?? null).toBe(match);
  });

  it('is nothing where an entry asks about it: what asks comes before what allows', () => {
    expect(
      capabilityOf([{ kind: 'execute', match: 'npm *', answer: 'ask' }], facts('execute' as never, 'npm test')),
    ).toBeNull();
  });
});
