import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/domain/events.js';
import { claimOf, fenceOf, newJob, startWrite, stepOf } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const advisory = (eventId: string, gate: string): RunEvent => ({
  type: 'funnel.advisory_completed',
  eventId,
  timestamp: '2026-01-02T03:04:05.000Z',
  topologyId: 'review',
  agentId: 'writer',
  skillId: null,
  stepKey: 'root/g0',
  payload: {
    gate_id: gate,
    topology_id: 'review',
    funnel_id: 'f',
    why: 'no role',
    failed_layers: [],
    critique: null,
    judge_score: null,
    retries: 0,
    escalated: false,
    approve: {},
  },
});

export function ungatedLaws(world: World): void {
  it('names in the row of a run the gates that nobody was asked about, each once', async () => {
    const { stores, ids } = world();
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
    const end = async (key: string, gate: string): Promise<void> => {
      await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, key))]);
      await stores.runs.commit(fenceOf(job), [
        {
          op: 'step.ended',
          key,
          outcome: { status: 'ok', value: { decision: 'advisory' } },
          usage: null,
          units: 0,
          endedAt: '2026-01-02T03:04:06.000Z',
          events: [advisory(ids.uuid(), gate)],
        },
      ]);
    };

    await end('root/g0', 'g:"a"');
    await end('root/g1', 'g:b');
    await end('root/g2', 'g:"a"');
    await world().reopen();

    expect(job.ungated).toEqual([]);
    expect((await world().stores.jobs.get(job.id))?.ungated).toEqual(['g:"a"', 'g:b']);
  });
}
