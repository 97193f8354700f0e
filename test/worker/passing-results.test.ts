import { expect, it } from 'vitest';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import { agent, call, commandSkill, openWorld, type WorldOptions } from '../support/run-world.js';

const SECRET = 'result-that-must-not-stay';

const worldOf = (logOutputs: LinkedSkill['audit']['logOutputs'], over: Partial<WorldOptions> = {}) =>
  openWorld({
    root: agent('root', { role: 'root', skills: ['probe'] }),
    skills: [commandSkill('probe', ['echo', SECRET], { audit: { logInputs: 'full', logOutputs, redact: [] } })],
    script: ({ turn }) => (turn === 0 ? [call('probe', {})] : 'done'),
    ...over,
  });
const isKept = async (world: Awaited<ReturnType<typeof worldOf>>) =>
  JSON.stringify(await world.stores.runs.load(world.job.id)).includes(SECRET);

it('a result of a skill that logs no outputs is gone with the end of its run; another stays', async () => {
  for (const [logOutputs, stays] of [
    ['none', false],
    ['full', true],
  ] as const) {
    const world = await worldOf(logOutputs);
    try {
      expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });

      expect(await isKept(world), logOutputs).toBe(stays);
      const row = (await world.stores.runs.load(world.job.id)).find((one) => one.key.endsWith(':probe'));
      expect(row?.outcome).toMatchObject({ status: 'ok' });
      expect(row?.prunedAt === undefined).toBe(stays);
    } finally {
      await world.close();
    }
  }
});

it('a run that is stopped keeps such a result: it goes on from it', async () => {
  const stop = new AbortController();
  const world = await worldOf('none', {
    script: ({ turn }) => {
      if (turn === 0) return [call('probe', {})];
      stop.abort();
      return 'too late';
    },
  });
  try {
    expect(await world.run({ abort: stop.signal })).toMatchObject({ kind: 'ended', end: { status: 'stopped' } });

    expect(await isKept(world)).toBe(true);
  } finally {
    await world.close();
  }
});

it('a failed run that lost results this way is not replayed as if they had been empty', async () => {
  const world = await worldOf('none', {
    script: ({ turn }) => (turn === 0 ? [call('probe', {})] : Promise.reject(new Error('broken'))),
  });
  try {
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });

    expect(await world.replay()).toMatchObject({ kind: 'failed' });
    expect(await isKept(world)).toBe(false);
  } finally {
    await world.close();
  }
});
