import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callKey } from '../../src/engine/plan-calls.js';
import { openPostgresProcesses } from '../support/postgres-processes.js';
import { agent, call } from '../support/run-world.js';
import { fenceOf } from '../support/store-samples.js';
import { lawfulWorlds } from './laws.js';

/** Nothing in it comes twice, so that an index cannot make it shorter. */
const LONG = Array.from({ length: 2_000 }, (_, n) => createHash('sha256').update(`${n}`).digest('base64')).join('');

describe('a model that calls by a name of its own', () => {
  const open = lawfulWorlds();

  it.each([
    ['half a character', 'fetch\ud800'],
    ['NUL', 'a\u0000b'],
    ['nothing', ''],
    ['what looks like a key', '../c0:x'],
    ['what no index holds', LONG],
  ])('is told that there is no such tool: %s', async (_, name) => {
    let answer: unknown = null;
    const world = await open({
      root: agent('root'),
      script: ({ turn, request }) => {
        for (const part of request.messages.at(-1)?.parts ?? []) if (part.type === 'tool_result') answer = part.output;
        return turn === 0 ? [call(name, { x: 'y' })] : 'done';
      },
    });
    await world.run();

    expect(answer).toMatchObject({ reason: 'unknown_tool' });
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
  });
});

describe('the key of a call by a very long name', () => {
  const processes = openPostgresProcesses();

  it('has room in an index of PostgreSQL, and a short name stands in it as it is', async () => {
    const job = await processes.running();
    const key = callKey('root/d0/t0', { index: 0, name: LONG });
    const { runs } = processes.world.stores;
    await runs.commit(fenceOf(job), processes.say(job, key));

    expect((await runs.load(job.id)).map((row) => row.key)).toEqual([key]);
    expect(callKey('root/d0/t3', { index: 1, name: 'a b' })).toBe('root/d0/t3/c1:a%20b');
  });
});
