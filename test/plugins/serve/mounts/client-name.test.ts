import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/domain/events.js';
import { act, submitted } from '../../../support/http/ask.js';
import { openEventsServer } from '../../../support/http/events-server.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { openReviewServer } from '../../../support/http/review-server.js';
import { as } from '../../../support/http/serve-group.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

/** Payload of the one event of this type. */
const reported = (events: readonly StoredEvent[], type: StoredEvent['type']): object => {
  const found = events.filter((event) => event.type === type);
  expect(found).toHaveLength(1);
  return found[0]?.payload ?? {};
};

it('names for people stand beside who submits, stops and resumes', async () => {
  const files = { 'topologies/typed.yaml': idleTopology('typed', { input_schema: { type: 'object' } }) };
  await withServeScene(
    idleWorkspace({ files }),
    async (scene) => {
      const run = (await submitted(scene, 'idle', { input: 'x' }, as('run', 'sue'))).json();
      await act(scene, `/jobs/${run.job_id}/stop`, as('run', 'stan'));
      await act(scene, `/jobs/${run.job_id}/resume`, as('run', 'rex'));
      await submitted(scene, 'typed', { input: 'text' }, as('run', 'ida'));

      const stores = await scene.stores();
      const events = await stores.events.readRun(run.job_id, 0, 100);
      expect(reported(events, 'run.started')).toMatchObject({ submitted_by: 'sue', client_name: 'sue' });
      expect(reported(events, 'run.stopped')).toMatchObject({ requested_by: 'stan', client_name: 'stan' });
      expect(reported(events, 'run.resumed')).toMatchObject({ requested_by: 'rex', client_name: 'rex' });
      const rejected = (await stores.events.read({ types: ['input.rejected'], limit: 10 })).events;
      expect(reported(rejected, 'input.rejected')).toMatchObject({ submitted_by: 'ida', client_name: 'ida' });
      expect((await stores.jobs.get(run.job_id))?.submittedBy).toMatchObject({ identity: 'sue', clientName: 'sue' });
    },
    { role: 'api' },
  );
});

it('names for people stand beside who decides', async () => {
  const desk = await openReviewServer();
  try {
    const { job, gate } = await desk.world.parked();
    const before = (await desk.world.typesOf(job.id)).length;
    const item = (role: string) => `/review/${encodeURIComponent(`mpa-${gate.gateId}-0-${role}`)}/resolve`;
    await desk.post(item('qa'), { outcome: 'approve' }, 'qa-1');
    await desk.post(item('ops'), { outcome: 'approve' }, 'ops-1');
    const events = (await desk.world.sqlite.stores.events.readRun(job.id, 0, 100)).slice(before);
    const settled = events.filter(({ type }) => type === 'hitl.resolved').map(({ payload }) => payload);
    expect(settled).toMatchObject([
      { by_user: 'qa-1', client_name: 'qa-1' },
      { by_user: 'ops-1', client_name: 'ops-1' },
    ]);
    expect(reported(events, 'approval.gate_resolved')).toMatchObject({ by: 'ops-1', client_name: 'ops-1' });
    expect(reported(events, 'run.resumed')).toMatchObject({ requested_by: 'ops-1', client_name: 'ops-1' });
  } finally {
    await desk.world.dispose();
  }
});

it('names for people stand beside who asks for changes, and beside who answers', async () => {
  const desk = await openReviewServer();
  try {
    const { job, gate } = await desk.world.parked();
    const before = (await desk.world.typesOf(job.id)).length;
    const of = (role: string) => `/review/${encodeURIComponent(`mpa-${gate.gateId}-0-${role}`)}/resolve`;
    await desk.post(of('qa'), { outcome: 'approve' }, 'qa-1');
    await desk.post(of('ops'), { outcome: 'changes_requested', comment: 'shorter' }, 'ops-1');
    const events = (await desk.world.sqlite.stores.events.readRun(job.id, 0, 100)).slice(before);
    expect(reported(events, 'approval.changes_requested')).toMatchObject({ by: 'ops-1', client_name: 'ops-1' });

    const asking = await desk.world.run();
    const question = await desk.world.ask(asking);
    expect((await desk.post(`/review/${question.id}/reject`, {}, 'pat')).status).toBe(200);
    const answers = await desk.world.sqlite.stores.events.readRun(asking.id, 0, 100);
    expect(reported(answers, 'hitl.resolved')).toMatchObject({ by_user: 'pat', client_name: 'pat' });
  } finally {
    await desk.world.dispose();
  }
});

it('a name for people stands beside who hands in an event', async () => {
  const desk = await openEventsServer({ openListener: async () => ({ deliver: async () => {} }) });
  await desk.signal({ correlation_id: 'order-7', event: 'paid' });
  const [event] = await desk.logged('pipeline.ingress');
  expect(event?.payload).toMatchObject({ identity: 'alice', client_name: 'alice' });
});
