import { expect, it } from 'vitest';
import { followTask } from '../../../../plugins/protocols/src/a2a/routes/follow.js';
import { taskOf } from '../../../../plugins/protocols/src/a2a/wire/task.js';
import type { StreamItem } from '../../../../src/app/jobs/jobs-app.js';
import { jobOf } from '../../../support/view-samples.js';

/**
 * States of a run that has a process and tells of these waits, and how often its row was read
 * meanwhile.
 */
async function followed(payloads: readonly object[]) {
  let [looks, isOver] = [0, false];
  const row = () => jobOf({ status: isOver ? 'completed' : 'running', workerId: 'w-1' });
  const timestamp = new Date().toISOString();
  const lines = payloads.map((payload, place) => ({
    ...{ kind: 'line', seq: place + 1, timestamp, type: 'step.waiting', agentId: null, text: '' },
    event: { type: 'step.waiting', payload },
  })) as unknown as readonly StreamItem[];
  async function* stream(): AsyncGenerator<StreamItem> {
    yield* lines;
    isOver = true;
    yield { kind: 'end', status: 'completed' };
  }
  const reader = {
    job: async () => {
      if (!isOver) looks += 1;
      return row();
    },
    of: async () => taskOf(row(), { gateUrl: null }),
    gateUrl: async () => null,
  };
  const { signal } = new AbortController();
  const states: string[] = [];
  // Of the use cases it asks for the stream alone.
  const parts = { workspace: '/w', closing: signal, jobs: { stream: async () => stream() } } as never;
  for await (const { frame } of followTask(parts, { job: row(), reader, signal, afterSeq: 0, whenParked: 'stays' }))
    if (frame.kind === 'status') states.push(frame.task.status.state);
  return { looks, states };
}

it('hands on at once what a run tells that waits for a limit, or for an agent that works', async () => {
  const { looks, states } = await followed([
    { key: 'a', reason: 'limit.in_flight', tries: 0, until: null },
    { key: 'b', reason: 'remote.working', tries: 1, until: null, agent: 'x', gate_url: null },
  ]);
  expect(looks).toBe(0);
  expect(states).toEqual(['working', 'working', 'completed']);
});
