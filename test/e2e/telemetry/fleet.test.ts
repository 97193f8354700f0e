import { expect, it, vi } from 'vitest';
import { startOtlpReceiver } from '../../support/components/otlp.js';
import { faultsOf } from '../../support/telemetry/span-tree.js';
import { ask, openFleet, WAIT } from '../workers/fleet.js';

it('an api process tells of what workers did, once, also of a run that one worker died with and another took over', async () => {
  const receiver = await startOtlpReceiver();
  const fleet = await openFleet();
  const dir = fleet.workspace('traced', {
    text: `events: [{ sink: plugin, provider_id: otel, config: { endpoint: "${receiver.url}" } }]\n`,
  });
  const api = await fleet.api(dir);
  const first = await fleet.worker(dir);
  fleet.model.hold();
  const runs = await Promise.all(
    [1, 2].map(async (n) => String((await ask(api, '/run/talk', { input: `job-${n}` })).body.id)),
  );
  await fleet.model.held();
  first.child.kill('SIGKILL');
  await first.ended;
  fleet.model.release();
  await fleet.worker(dir);

  const spansOf = (run: string) => receiver.spans().filter(({ attributes }) => attributes['kit.run.id'] === run);
  for (const run of runs) {
    await vi.waitFor(() => expect(spansOf(run).map(({ name }) => name)).toContain('run.submit talk'), WAIT);
    expect(faultsOf(spansOf(run))).toEqual([]);
  }
  const attempts = receiver.spans().filter(({ name }) => name === 'run.attempt');
  expect(attempts.map(({ attributes }) => attributes['error.type'])).toContain('lease_lost');
  expect(new Set(attempts.map(({ attributes }) => attributes['kit.attempt']))).toEqual(new Set([1, 2]));
  // One exporter for the log: the figures come once, when the server ends, and count each run once.
  api.kill('SIGTERM');
  expect(await api.ended).toBe(0);
  expect(receiver.points().flatMap(({ metric, value }) => (metric === 'runs.total' ? [value] : []))).toEqual([2]);
}, 120_000);
