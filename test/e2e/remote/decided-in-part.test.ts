import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { KEYS, openServed, type Served } from './served.js';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

it('reads a run that is decided in part alike by its id, by a prefix, in lists and here', async () => {
  const asked = ['run', 'release', '--input', 'half', '--json'];
  const id = String(lastOf(await served.remote(asked, { key: KEYS.OPS_KEY })).id);
  await served.remote(['review', 'approve', id]);
  const headers = { authorization: `Bearer ${KEYS.QA_KEY}` };
  const read = async (path: string): Promise<unknown> => (await fetch(`${served.url}${path}`, { headers })).json();

  const whole = await read(`/jobs/${id}`);

  expect(whole).toMatchObject({ error: `awaiting review: gate ${id}:writer awaits sign-off by ops` });
  expect(await read(`/jobs/${id.slice(0, 8)}?prefix=true`)).toEqual(whole);
  expect(await read('/jobs?fields=all')).toContainEqual(whole);
  expect(await read('/jobs?view=1&fields=all')).toContainEqual(expect.objectContaining(whole as object));
  const { error } = whole as { readonly error: string };
  expect(lastOf(await served.local(['status', id, '--json'])).runs).toMatchObject([{ id, error }]);
});

it('a run that waits for people at a server says that it goes on by itself, as it does here', async () => {
  const asked = ['run', 'release', '--input', 'and more'];
  const said = /then: {3}it goes on by itself once this is decided; by hand: kit run release /;

  expect((await served.local([...asked, '--as', 'dana'])).stderr).toMatch(said);
  expect((await served.remote(asked)).stderr).toMatch(said);
});
