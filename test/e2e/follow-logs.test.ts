import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOf, fenceOf, newJob, startedEvent } from '../support/store-samples.js';
import { openSqliteWorld } from '../support/store-world.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { localProvider, talk } from './workspaces.js';
import { type LiveKit, lastOf, makeWorld, type World } from './world.js';

let world: World;
let server: LeaderServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

/** A run whose helper waits for its model. */
async function heldRun(name: string): Promise<{ readonly dir: string; readonly live: LiveKit; readonly id: string }> {
  const dir = world.files(name, talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
  server.hold();
  const env = { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' };
  const live = world.start(['run', dir, 'talk', '--input', 'hi', '--json'], { env, stdin: '' });
  await server.held();
  return { dir, live, id: String((await live.sees(/"run_id":"([0-9a-f]{12})"/))[1]) };
}

describe('kit logs of a run that goes on', () => {
  it('shows with --follow what is there and what is added, and ends with the run', async () => {
    const { dir, live, id } = await heldRun('followed');

    const log = world.start(['logs', dir, '--follow'], { stdin: '' });
    await log.sees(/helper +started/);
    const before = log.stdout();
    server.release();
    const ended = await log.ended;
    await live.ended;

    expect(before).toContain(`run ${id}`);
    expect(before).not.toContain('run completed');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toContain('run completed');
  });

  it('shows each event once and in order, as JSON Lines with a result at the end', async () => {
    const { dir, live } = await heldRun('counted');

    const log = world.start(['logs', dir, '--follow', '--json'], { stdin: '' });
    await log.sees(/"agent_id":"helper"/);
    server.release();
    const lines = (await log.ended).lines();
    const run = await live.ended;

    const seqs = lines.filter(({ type }) => type === 'event').map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    expect(lines.filter(({ type }) => type === 'event')).toEqual(run.lines().filter(({ type }) => type === 'event'));
    expect(lines.at(-1)).toMatchObject({ type: 'result', runs: [{ events: seqs.length }] });
  });

  it('shows without --follow what is there, and ends', async () => {
    const { dir, live } = await heldRun('glanced');

    const result = await world.kit(['logs', dir]);
    server.release();
    await live.ended;

    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/helper +started/);
    expect(result.stdout).not.toContain('run completed');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends quietly at %s, and the run goes on', async (signal) => {
    const { dir, live, id } = await heldRun(`left-${signal.toLowerCase()}`);

    const log = world.start(['logs', dir, '--follow'], { stdin: '' });
    await log.sees(/helper +started/);
    log.child.kill(signal);
    const left = await log.ended;
    server.release();
    const run = await live.ended;

    expect(left).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(run.code).toBe(0);
    expect(lastOf(run)).toMatchObject({ type: 'result', id, status: 'completed' });
  });

  it('ends when the run is stopped, and says how it stands', async () => {
    const { dir, live, id } = await heldRun('parked');

    const log = world.start(['logs', dir, '--follow'], { stdin: '' });
    await log.sees(/helper +started/);
    await world.kit(['stop', id, dir]);
    server.release();
    await live.ended;

    expect(await log.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/stop requested by[\s\S]*run stopped/),
    });
  });

  it('ends when the run waits for a decision, and says for which', async () => {
    const dir = world.files('deferred', talk());
    const store = await openSqliteWorld({ stateDir: join(dir, '.kit') });
    const id = store.ids.jobId();
    const job = await store.stores.jobs.insert(newJob(id), 'queued', [startedEvent(store.ids.uuid())], claimOf());
    const park = {
      op: 'run.parked',
      waitingOn: ['gate-1'],
      error: 'gate-1 is open',
      autoResume: true,
      events: [],
    } as const;
    await store.stores.runs.commit(fenceOf(job), [park]);
    await store.dispose();

    const result = await world.kit(['logs', dir, '--follow']);
    const status = await world.kit(['status', dir]);

    expect(result).toMatchObject({ code: 0, stderr: `run ${id} waits for gate-1\n` });
    expect(status.stdout).toMatch(/deferred .*gate-1\n$/);
  });

  it('is shown as running by kit status, with the time until now', async () => {
    const { dir, live, id } = await heldRun('running');

    const { runs } = lastOf(await world.kit(['status', dir, '--json'])) as {
      runs: { id: string; status: string; wall_ms: number; agents: number }[];
    };
    server.release();
    await live.ended;

    expect(runs).toMatchObject([{ id, status: 'running', agents: 2 }]);
    expect(runs[0]?.wall_ms).toBeGreaterThan(0);
  });
});
