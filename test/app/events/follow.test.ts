import { expect, it } from 'vitest';
import { followLog } from '../../../src/app/events/read-log.js';
import { openSinkWorld, say } from '../../support/sink-world.js';

it('the log is followed from a cursor as it grows, until the reader goes', async () => {
  const world = await openSinkWorld();
  await say(world, 'one', 'two');
  const [first] = (await world.stores.events.read({ limit: 1 })).events;
  const ending = new AbortController();
  const texts: unknown[] = [];
  for await (const entry of followLog(
    world.stores,
    { workspace: '', after: first?.cursor ?? '', types: [], run: null },
    ending.signal,
  )) {
    texts.push(entry.payload.text);
    if (texts.length === 1) await say(world, 'three');
    if (texts.length === 2) ending.abort();
  }
  expect(texts).toEqual(['two', 'three']);
});

it('a log is not followed by a type that there is not', async () => {
  const world = await openSinkWorld();
  const following = followLog(
    world.stores,
    { workspace: '', after: null, types: ['run.begun'], run: null },
    new AbortController().signal,
  );
  await expect(following.next()).rejects.toMatchObject({ code: 'KIT_REQUEST_INVALID' });
});
