import { randomUUID } from 'node:crypto';
import { createObserveApp } from '../../src/app/observe/create-observe-app.js';
import type { LogQuery, ObserveApp } from '../../src/app/observe/observe-app.js';
import { createClock } from '../../src/system/clock.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { agent, call, commandSkill, openWorld, type World } from './run-world.js';

/** What a model may write to act on the page or the terminal that shows it. */
export const HOSTILE =
  '</script></pre><script>alert(1)</script><img src=x onerror="alert(2)">\u001b[31m\u202e[a](javascript:alert(3)) | x';

/** The use cases over the store of a world. */
export const observe = (world: Pick<World, 'stores'> | null): ObserveApp =>
  createObserveApp({
    ids: { uuid: randomUUID },
    clock: createClock(),
    host: readWorkerHost(),
    openStores: async () => world?.stores ?? null,
    maskOf: async () => (text: string) => text,
  });

/** A query for the newest run, with nothing left out. */
export const query = (over: Partial<LogQuery> = {}): LogQuery => ({
  workspace: '/unused',
  run: null,
  last: 1,
  topology: null,
  agent: null,
  types: [],
  follow: false,
  signal: new AbortController().signal,
  ...over,
});

/**
 * A finished run in which much happens: `lead` asks `reader` and `writer` side by side and twice
 * each; they call tools that work, that fail, that are denied and that are not there, and what they
 * say is hostile to whoever shows it.
 */
export async function busyRun(over: Partial<Parameters<typeof openWorld>[0]> = {}): Promise<World> {
  const world = await openWorld({
    root: agent('lead', {
      role: 'root',
      children: [agent('reader', { skills: ['say', 'fall'] }), agent('writer', { skills: ['say'] })],
    }),
    skills: [commandSkill('say', ['echo', 'hi']), commandSkill('fall', ['false'])],
    script: ({ agent: id, turn }) => {
      if (id === 'lead' && turn < 2) {
        return [
          call('delegate_to_reader', { task: HOSTILE }, `r${turn}`),
          call('delegate_to_writer', { task: 'write' }, `w${turn}`),
        ];
      }
      if (id === 'lead') return HOSTILE;
      if (turn > 0) return `${id} says ${HOSTILE}`;
      if (id === 'reader')
        return [call('say', { input: '' }, 's1'), call('fall', { input: '' }, 'f1'), call('sey', {}, 'g1')];
      return [call('say', { input: '' }, 's1'), call('say', { input: '' }, 's2'), call('readFile_7', {}, 'g2')];
    },
    ...over,
  });
  await world.run();
  return world;
}
