import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../support/components/postgres.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { localProvider } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

const KEY = 'key-of-the-memory-test';
const LONG =
  'The invoices of this customer are written in euro and are sent on the first of each month by post, as agreed in the contract.';
const FOUND = {
  subject: 'billing',
  attribute: 'currency',
  value: 'invoices are in euro',
  type: 'semantic',
  confidence: 0.7,
  relation: null,
};

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([
    makeWorld(),
    startModelServer(({ body }) => {
      const isExtraction = JSON.stringify(body.messages).includes('keep the memory');
      return {
        do: 'answer',
        text: isExtraction
          ? JSON.stringify({ memories: [FOUND, { ...FOUND, attribute: 'key', value: `it is ${KEY}` }] })
          : LONG,
      };
    }),
  ]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const workspace = (name: string, text = ''): string =>
  world.files(name, {
    'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: ${name}, name: Memory }\n${text}`,
    'providers/local.yaml': localProvider,
    'topologies/talk.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: talk, version: 1.0.0, description: One agent. }
agents: { root: { id: boss, role: root, model: { provider: local, name: m1 }, prompt: { system: You help. } } }
`,
  });
const env = (more: Readonly<Record<string, string>> = {}) => ({ MODEL_URL: server.url, LOCAL_KEY: KEY, ...more });
const memory = (dir: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  world.here(['memory', ...args, '--workspace', dir, '--json'], { env: env(more) });
const said = (messages: unknown): string => JSON.stringify(messages);

it('a person lists, adds, contradicts, decides and looks back, and a contradiction ends with 1', {
  timeout: 180_000,
}, async () => {
  const dir = workspace('by-hand');
  const as = ['--as', 'ada'];

  const nothing = await memory(dir, ['list', ...as]);
  expect([nothing.code, lastOf(nothing)]).toMatchObject([0, { memories: [] }]);
  expect(readdirSync(dir)).not.toContain('.kit');
  const added = await memory(dir, ['add', 'billing', 'currency', `euro, paid with ${KEY}`, ...as]);
  expect([added.code, lastOf(added)]).toMatchObject([0, { op: 'new', key: 'billing/currency', changed: true }]);
  const against = await memory(dir, ['add', 'billing', 'currency', 'yen', '--as', 'ben']);
  const { quarantine_id: id } = lastOf(against) as { readonly quarantine_id: string };
  expect([against.code, lastOf(against)]).toMatchObject([1, { op: 'contradict', changed: false }]);
  const [got, quarantined] = [
    await memory(dir, ['get', 'billing', 'currency', ...as]),
    await memory(dir, ['quarantine', ...as]),
  ];
  expect(lastOf(got)).toMatchObject({ current: { value: 'euro, paid with [MASKED]', origin: 'person', owner: 'ada' } });
  expect(lastOf(quarantined)).toMatchObject({
    quarantine: [{ id, candidate: { value: 'yen' }, status: 'pending', owner: 'ben' }],
  });

  const decided = await memory(dir, ['resolve', id.slice(0, 6), '--accept', '-m', 'new contract', ...as]);
  expect([decided.code, lastOf(decided)]).toMatchObject([0, { status: 'accepted', resolved_by: 'ada' }]);
  const history = lastOf(await memory(dir, ['get', 'billing', 'currency', '--history', '--as', 'eve']));
  expect(history).toMatchObject({ current: { value: 'yen', origin: 'curator', owner: 'ada' } });
  expect((history as { readonly history: readonly { readonly op: string }[] }).history.map(({ op }) => op)).toEqual([
    'new',
    'contradict',
    'update',
  ]);

  const refused = await Promise.all([
    memory(dir, ['resolve', id, '--reject', ...as]),
    memory(dir, ['resolve', 'none', '--accept', ...as]),
    memory(dir, ['resolve', id, ...as]),
    memory(dir, ['add', 'a', 'b', 'c', '--confidence', '2', ...as]),
  ]);
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  expect(refused.map((one) => (lastOf(one) as { readonly code: string }).code)).toEqual([
    'KIT_MEMORY_DECIDED',
    'KIT_MEMORY_UNKNOWN',
    'KIT_USAGE',
    'KIT_MEMORY_INVALID',
  ]);
  expect((await memory(dir, ['get', 'no', 'such', ...as])).code).toBe(1);
  const store = readdirSync(join(dir, '.kit'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(store.length).toBeGreaterThan(0);
  for (const { parentPath, name } of store)
    expect(readFileSync(join(parentPath, name)).includes(KEY), name).toBe(false);
});

it('what a run found out is recalled by the next run of the same person alone, and holds no secret', {
  timeout: 180_000,
}, async () => {
  const dir = workspace('by-runs');
  const run = (who: string) =>
    world.here(['run', dir, 'talk', '--input', 'In which currency is billing done?', '--as', who, '--json'], {
      env: env(),
    });

  expect((await run('ada')).code).toBe(0);
  const before = server.requests.length;
  expect((await run('ada')).code).toBe(0);
  expect(said(server.requests[before]?.body.messages)).toContain('invoices are in euro');
  const others = server.requests.length;
  expect((await run('ben')).code).toBe(0);
  expect(said(server.requests[others]?.body.messages)).not.toContain('invoices are in euro');

  const mine = lastOf(await memory(dir, ['list', '--as', 'ada'])) as {
    readonly memories: readonly { readonly value: string; readonly reinforce_count: number }[];
  };
  expect(mine.memories.map(({ value }) => value).sort()).toEqual(['invoices are in euro', 'it is [MASKED]']);
  expect(mine.memories.find(({ value }) => value.includes('euro'))).toMatchObject({
    origin: 'automatic',
    owner: 'ada',
    reinforce_count: 1,
  });
  expect(said(mine)).not.toContain(KEY);
});

it('memory that is off refuses each command, and leaves no call and no row', { timeout: 180_000 }, async () => {
  const dir = workspace('off', 'memory: { enabled: false }\n');
  const before = server.requests.length;

  expect((await world.here(['run', dir, 'talk', '--input', 'hi', '--json'], { env: env() })).code).toBe(0);

  expect(server.requests.length - before).toBe(1);
  const off = await memory(dir, ['list']);
  expect([off.code, lastOf(off)]).toMatchObject([2, { code: 'KIT_MEMORY_OFF' }]);
});

it('storage.memory is shared by the workspaces that name it, apart from their runs', { timeout: 180_000 }, async () => {
  const database = await createDatabase();
  try {
    const place = 'storage: { memory: { backend: postgres, url: "${MEMORY_URL}" } }\n';
    const [one, two, apart] = [workspace('one', place), workspace('two', place), workspace('apart')];
    const more = { MEMORY_URL: database.url };
    const add = (dir: string, value: string) => memory(dir, ['add', 'billing', 'currency', value, '--as', 'ada'], more);

    expect((await add(one, 'euro')).code).toBe(0);
    expect((await add(apart, 'peso')).code).toBe(0);

    const seen = async (dir: string) =>
      (lastOf(await memory(dir, ['list'], more)) as { readonly memories: readonly { readonly value: string }[] })
        .memories;
    // Nothing was ever run in the second.
    expect((await seen(two)).map(({ value }) => value)).toEqual(['euro']);
    expect((await seen(apart)).map(({ value }) => value)).toEqual(['peso']);
    expect(await database.query('SELECT value FROM kit.memories')).toEqual([{ value: 'euro' }]);
    const ran = await world.here(['run', two, 'talk', '--input', 'hi', '--as', 'ben', '--json'], { env: env(more) });
    expect(ran.code).toBe(0);
    expect(await database.query("SELECT value FROM kit.memories WHERE owner = 'ben' ORDER BY value")).toMatchObject([
      { value: 'invoices are in euro' },
      { value: 'it is [MASKED]' },
    ]);
    expect(await database.query('SELECT count(*)::int AS jobs FROM kit.jobs')).toEqual([{ jobs: 0 }]);
    const status = lastOf(await world.here(['storage', 'status', two, '--json'], { env: env(more) }));
    expect(status).toMatchObject({
      stores: expect.arrayContaining([
        expect.objectContaining({ store: 'memory', backend: 'postgres', source: 'storage.memory' }),
      ]),
    });
    const refused = await world.here(['run', one, 'talk', '--input', 'hi', '--json'], {
      env: env({ MEMORY_URL: 'postgres://127.0.0.1:1/none' }),
    });
    expect([refused.code, lastOf(refused)]).toMatchObject([2, { code: 'KIT_STORE_UNAVAILABLE' }]);
  } finally {
    await database.drop();
  }
});
