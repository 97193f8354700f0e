import { describe, expect, it, vi } from 'vitest';
import { openServedWorld, type Served, type ServedWorld, STORES, sign, WAIT } from './served-world.js';

const JOBS = 'server: { jobs: { max_concurrent: 2 } }\n';

/** A run of `gated` that waits for its signature. */
async function parked(server: Served, input: string): Promise<string> {
  const id = await server.submit('gated', input);
  await server.until(id, 'deferred');
  return id;
}

const buried = async ({ database }: ServedWorld): Promise<void> => {
  if (database === null) return;
  await database.deserted();
  await database.elapse(120_000);
};

describe.each(STORES)('a server over %s that is killed', (store) => {
  it('goes on with what was queued, running and parked, leaves what was stopped, and repeats no finished step', async () => {
    const world = await openServedWorld(store, JOBS);
    const { model } = world;
    const first = await world.serve();
    const decided = await parked(first, 'job-1');
    const waiting = await parked(first, 'job-2');
    const stopped = await parked(first, 'job-3');
    const queued = await parked(first, 'job-4');
    for (const id of [stopped, queued]) expect((await first.post(`/jobs/${id}/stop`)).status).toBe(200);
    for (const id of [stopped, queued]) await first.until(id, 'stopped');
    model.hold();
    const running = await first.submit('talk', 'job-5');
    const stopping = await first.submit('talk', 'job-6');
    await vi.waitFor(() => expect(model.calls()).toMatchObject({ 'helper job-5': 1, 'helper job-6': 1 }), WAIT);
    expect((await first.post('/run/talk', { input: 'job-7' })).status).toBe(429);
    expect((await first.post(`/jobs/${queued}/resume`)).status).toBe(200);
    expect(await first.get(`/jobs/${queued}`)).toMatchObject({ status: 'pending' });
    expect((await first.post(`/jobs/${stopping}/stop`)).status).toBe(200);
    first.kill('SIGKILL');
    await first.ended;
    await buried(world);
    expect((await sign(world, decided)).code).toBe(0);
    model.release();

    const second = await world.serve();
    expect(await second.until(running, 'completed')).toMatchObject({ attempt: 2, output: 'all done' });
    expect(await second.until(decided, 'completed')).toMatchObject({ output: 'all done' });
    expect(await second.until(stopping, 'stopped')).toMatchObject({ reason: 'stop_requested' });
    await second.until(queued, 'deferred');
    expect(await second.get(`/jobs/${stopped}`)).toMatchObject({ status: 'stopped' });
    expect(await second.get(`/jobs/${waiting}`)).toMatchObject({ status: 'deferred', attempt: 1 });
    // Only the call that was under way when the server died is made again.
    expect(model.calls()).toEqual({
      ...{ 'writer job-1': 1, 'writer job-2': 1, 'writer job-3': 1, 'writer job-4': 1 },
      ...{ 'boss job-5': 2, 'helper job-5': 2, 'boss job-6': 1, 'helper job-6': 1 },
    });

    const signed = await sign(world, waiting);
    expect(signed.code).toBe(0);
    const done = await second.until(waiting, 'completed');
    const item = await second.get(`/review/${encodeURIComponent(`mpa-${waiting}:writer-0-qa`)}`);
    // Both are times of the store.
    const claimedMs = Date.parse(String(done.claimed_at)) - Date.parse(String(item.resolved_at));
    process.stdout.write(
      `a gate that another process decided over ${store}: its run was claimed ${claimedMs} ms later\n`,
    );
    expect(claimedMs).toBeGreaterThanOrEqual(0);
    expect(model.calls()).toMatchObject({ 'writer job-2': 1 });
  }, 180_000);
});
