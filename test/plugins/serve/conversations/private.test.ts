import { expect, it } from 'vitest';
import { readerOf } from '../../../../plugins/serve/src/mounts/conversations/reader-of.js';
import { read } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

const begin = async (scene: ServeScene, payload: object): Promise<string> =>
  (await scene.server.inject({ method: 'POST', url: '/conversations', headers: as('run', 'ada'), payload })).json().id;
const say = (scene: ServeScene, id: string, headers: ReturnType<typeof as>) =>
  scene.server.inject({
    method: 'POST',
    url: `/conversations/${id}/messages`,
    headers,
    payload: { message: 'hello' },
  });
const listed = async (scene: ServeScene, headers: ReturnType<typeof as>) =>
  (await read(scene, '/conversations', headers)).json().map(({ id }: { id: string }) => id);

it('keeps the conversation of another person to itself, in lists, reads and turns', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const id = await begin(scene, { topology: 'idle' });
    const bob = as('run', 'bob');

    expect(await listed(scene, bob)).toEqual([]);
    for (const name of [id, id.slice(0, 5)]) {
      const missing = await read(scene, `/conversations/${name}`, bob);
      expect([missing.statusCode, missing.json().code]).toEqual([404, 'conversation-unknown']);
      expect(missing.json().detail).toBe(`there is no conversation ${name}`);
    }
    expect((await say(scene, id, bob)).statusCode).toBe(404);
    expect(await listed(scene, as('read', 'ada'))).toEqual([id]);
    expect((await say(scene, id, as('run', 'ada'))).statusCode).toBe(200);
  });
});

it('lets an admin read the conversations of others and say nothing in them', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const id = await begin(scene, { topology: 'idle' });
    const boss = as('admin', 'boss');

    expect(await listed(scene, boss)).toEqual([id]);
    expect((await read(scene, `/conversations/${id}`, boss)).json()).toMatchObject({ created_by: 'ada', turns: [] });
    const refused = await say(scene, id, boss);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'conversation-foreign']);
    expect((await read(scene, `/conversations/${id}`, boss)).json().turns).toEqual([]);
    // Their own is theirs.
    expect((await say(scene, id, as('admin', 'ada'))).statusCode).toBe(200);
  });
});

it('opens what is shared from the beginning to the tier', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const id = await begin(scene, { topology: 'idle', shared: true });

    expect(await listed(scene, as('read', 'bob'))).toEqual([id]);
    expect((await say(scene, id, as('run', 'bob'))).statusCode).toBe(200);
    expect((await read(scene, `/conversations/${id}`, as('read', 'bob'))).json()).toMatchObject({
      shared: true,
      turns: [{ role: 'human', content: 'hello' }, { role: 'swarm' }],
    });
    expect((await say(scene, id, as('read', 'bob'))).statusCode).toBe(403);
  });
});

it('takes everybody for one person where nobody is told apart', () => {
  const caller = { clientId: 'anonymous', clientName: 'Anonymous', scopes: ['*'], assurance: 'asserted' } as const;
  expect(readerOf({ ...caller, provider: 'none' })).toMatchObject({ isAnybody: true });
  expect(readerOf({ ...caller, provider: 'jwt' })).toMatchObject({ isAnybody: false });
});
