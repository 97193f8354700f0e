import { expect, it } from 'vitest';
import { reconcileMemory } from '../../../../src/govern/memory/reconcile.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

const ON = idleWorkspace({ workspace: { memory: {} } });
const get = async (scene: ServeScene, url: string, who = 'ada') =>
  (await scene.server.inject({ url, headers: as('read', who) })).json();
const post = (scene: ServeScene, url: string, payload: object, who = 'ada') =>
  scene.server.inject({ method: 'POST', url, headers: as('run', who), payload });
const fact = (value: string, over: object = {}) => ({ subject: 'billing', attribute: 'currency', value, ...over });

it('remembers what a person says, finds it, and tells how it came about', async () => {
  await withServeScene(ON, async (scene) => {
    expect((await post(scene, '/memory', fact('invoices are in euro'))).json()).toEqual({
      op: 'new',
      key: 'billing/currency',
      changed: true,
    });
    expect(
      (await post(scene, '/memory', fact('Invoices are in EURO', { source: 'the contract' }))).json(),
    ).toMatchObject({
      op: 'reinforce',
      changed: false,
    });

    const { memories } = await get(scene, '/memory?query=which%20invoice%20currency', 'ben');
    expect(memories).toMatchObject([
      {
        key: 'billing/currency',
        value: 'invoices are in euro',
        source: 'ada',
        owner: 'ada',
        origin: 'person',
        reinforce_count: 1,
      },
    ]);
    expect((await get(scene, '/memory')).memories).toHaveLength(1);
    expect((await get(scene, '/memory?type=profile')).memories).toEqual([]);
    const item = await get(scene, '/memory/item?subject=billing&attribute=currency');
    expect(item.history.map(({ op }: { op: string }) => op)).toEqual(['new', 'reinforce']);
    expect(await get(scene, '/memory/item?subject=x&attribute=y')).toEqual({ current: null, history: [] });
    const stores = await scene.stores();
    const { events } = await stores.events.read({ types: ['memory.written'], limit: 10 });
    expect(events.map(({ payload }) => payload)).toEqual([
      { op: 'new', key: 'billing/currency', origin: 'person', source: 'ada', confidence: 1 },
      { op: 'reinforce', key: 'billing/currency', origin: 'person', source: 'the contract', confidence: 1 },
    ]);
  });
});

it('sets a contradiction aside, and takes the name of who decides from authentication alone', async () => {
  await withServeScene(ON, async (scene) => {
    await post(scene, '/memory', fact('euro'));
    const { op, changed, quarantine_id: id } = (await post(scene, '/memory', fact('yen'), 'ben')).json();
    expect({ op, changed }).toEqual({ op: 'contradict', changed: false });
    expect((await get(scene, '/memory')).memories[0].value).toBe('euro');
    const { quarantine } = await get(scene, '/memory/quarantine');
    expect(quarantine).toMatchObject([
      { id, current_value: 'euro', candidate: { value: 'yen' }, status: 'pending', owner: 'ben' },
    ]);

    const resolved = await post(scene, `/memory/quarantine/${id}/resolve`, {
      accept: true,
      resolved_by: 'the pope',
      comment: 'new contract',
    });

    expect(resolved.json()).toEqual({ resolved: true, accepted: true, outcome: { op: 'update', value: 'yen' } });
    const [decided] = (await get(scene, '/memory/quarantine?status=all')).quarantine;
    expect(decided).toMatchObject({ status: 'accepted', resolved_by: 'ada', comment: 'new contract' });
    expect((await get(scene, '/memory')).memories[0]).toMatchObject({ value: 'yen', origin: 'curator', owner: 'ada' });
    const { events } = await (await scene.stores()).events.read({ types: ['memory.written'], limit: 10 });
    expect(events.map(({ payload }) => payload).at(-1)).toEqual({
      op: 'update',
      key: 'billing/currency',
      origin: 'person',
      source: 'ben',
      confidence: 1,
    });
    const again = await post(scene, '/memory/quarantine', { id, accept: false });
    expect([again.statusCode, again.json().code]).toEqual([409, 'memory-decided']);
    const unknown = await post(scene, '/memory/quarantine/none/resolve', { accept: true });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'memory-unknown']);
  });
});

it('finds entries of one type behind better matches of others', async () => {
  await withServeScene(ON, async (scene) => {
    for (const attribute of ['a', 'b']) await post(scene, '/memory', fact('invoices in euro', { attribute }));
    await post(
      scene,
      '/memory',
      fact('one word of invoices among many that nobody asks for', { attribute: 'c', type: 'profile' }),
    );

    const { memories } = await get(scene, '/memory?query=invoices%20in%20euro&type=profile&limit=1');
    expect(memories).toMatchObject([{ key: 'billing/c' }]);
  });
});

it('shows nobody what came out of the runs of somebody else', async () => {
  await withServeScene(ON, async (scene) => {
    const { memory } = await scene.stores();
    const candidate = {
      ...fact('secret of eve'),
      type: 'semantic',
      confidence: 1,
      source: 'root',
      relation: null,
    } as const;
    const facts = { session: null, jobId: 'j', decide: reconcileMemory };
    await memory.write({
      origin: 'automatic',
      owner: 'eve',
      writeId: 'w',
      ...facts,
      candidates: [candidate, { ...candidate, value: 'other' }],
    });

    for (const url of [
      '/memory',
      '/memory?query=secret%20of%20eve',
      '/memory/item?subject=billing&attribute=currency',
      '/memory/quarantine?status=all',
    ]) {
      expect(JSON.stringify(await get(scene, url)), url).not.toContain('secret');
      expect(JSON.stringify(await get(scene, url, 'eve')), url).toContain('secret');
    }
  });
});

it('tells the settings in force, and is off where the workspace says so', async () => {
  await withServeScene(ON, async (scene) => {
    expect(await get(scene, '/memory/config')).toEqual({
      enabled: true,
      governed: true,
      reader: { enabled: true, max_results: 5, similarity_threshold: 0.15, search_scope: 'user' },
      writer: { enabled: true, min_output_length: 100 },
      source: 'workspace',
    });
  });
  await withServeScene(idleWorkspace({ workspace: { memory: { enabled: false } } }), async (scene) => {
    expect(await get(scene, '/memory/config')).toMatchObject({
      enabled: false,
      reader: { enabled: false },
      writer: { enabled: false },
    });
    for (const url of ['/memory', '/memory/item?subject=a&attribute=b', '/memory/quarantine'])
      expect(await get(scene, url), url).toMatchObject({ status: 404, code: 'memory-off' });
    expect((await post(scene, '/memory', fact('x'))).statusCode).toBe(404);
    expect((await post(scene, '/memory/quarantine', { id: 'x', accept: true })).statusCode).toBe(404);
  });
});
