import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { copyJob } from './store-rows.js';
import { localProvider, talk } from './workspaces.js';
import { eventsOf, type LiveKit, lastOf, makeWorld, type World } from './world.js';

let world: World;
let server: LeaderServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const kit = (...argv: string[]): Promise<KitResult> =>
  world.here(argv, { env: { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' } });
const workspace = (name: string): string =>
  world.files(name, talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));

/** A run whose helper waits for its model, and its id. */
async function heldRun(dir: string): Promise<{ readonly live: LiveKit; readonly id: string }> {
  server.hold();
  const live = world.start(['run', dir, 'talk', '--input', 'hi', '--json'], {
    env: { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' },
    stdin: '',
  });
  await server.held();
  return { live, id: String((await live.sees(/"run_id":"([0-9a-f]{12})"/))[1]) };
}

/** Its helper's call is given up: it is never answered before the run has ended. */
async function stoppedRun(dir: string): Promise<string> {
  const { live, id } = await heldRun(dir);
  await kit('stop', id, dir);
  expect((await live.ended).code).toBe(4);
  server.release();
  return id;
}

describe('kit stop', () => {
  it('stops a run of another process at its next boundary, says who asked, and asking again reports the first request', async () => {
    const dir = workspace('running');
    const { live, id } = await heldRun(dir);

    const first = await kit('stop', id.slice(0, 6), dir, '--as', 'ada');
    const second = await kit('stop', id, dir, '--json');
    server.release();
    const run = await live.ended;
    const third = await kit('stop', id, dir);

    expect(first.code).toBe(0);
    expect(first.stdout).toContain(
      `run ${id} stops once its steps in flight have ended, calls of models at once; go on with: kit run ${dir} talk --resume=${id}`,
    );
    expect(second.code).toBe(0);
    expect(lastOf(second)).toMatchObject({
      type: 'result',
      // The run may have heard of the first one by now: its model call is given up at once.
      outcome: expect.stringMatching(/^(requested|stopped)$/),
      already_requested: true,
      job: { id },
    });
    expect(run.code).toBe(4);
    expect(eventsOf(run).filter(({ type }) => type === 'run.stopped')).toMatchObject([
      { payload: { requested_by: 'cli:ada' } },
    ]);
    expect(third.code).toBe(0);
    expect(third.stdout).toContain('is stopped');
  });

  it('of a finished run changes nothing and exits 0', async () => {
    const dir = workspace('finished');
    const { id } = lastOf(await kit('run', dir, 'talk', '--input', 'hi', '--json'));

    const result = await kit('stop', String(id), dir);

    expect(result).toMatchObject({ code: 0, stdout: `run ${id} is completed; there is nothing to stop\n` });
  });

  it('of an unknown run or an ambiguous prefix exits 2, and names the candidates', async () => {
    const dir = workspace('ambiguous');
    const id = await stoppedRun(dir);
    const sibling = copyJob(join(dir, '.kit/store.sqlite'), id);

    const unknown = await kit('stop', '000000000000', dir, '--json');
    const ambiguous = await kit('stop', id.slice(0, 11), dir, '--json');

    expect(unknown.code).toBe(2);
    expect(lastOf(unknown)).toMatchObject({ type: 'error', code: 'KIT_JOB_UNKNOWN' });
    expect(ambiguous.code).toBe(2);
    expect(lastOf(ambiguous)).toMatchObject({
      type: 'error',
      code: 'KIT_JOB_ID_AMBIGUOUS',
      data: { candidates: expect.arrayContaining([id, sibling]) },
    });
  });
});

describe('kit checkpoints', () => {
  it('lists runs that can go on, newest first, at most as many as asked for', async () => {
    const dir = workspace('listed');
    const none = await kit('checkpoints', dir);
    const older = await stoppedRun(dir);
    const newer = await stoppedRun(dir);

    const plain = await kit('checkpoints', '-w', dir);
    const one = await kit('checkpoints', dir, '--limit', '1', '--json');

    expect(none).toMatchObject({ code: 0, stdout: 'no run can go on: none is stopped or waits for a decision\n' });
    expect(plain.code).toBe(0);
    expect(plain.stdout.indexOf(newer)).toBeLessThan(plain.stdout.indexOf(older));
    expect(plain.stdout).toContain(`go on with: kit run ${dir} talk --resume=${newer}`);
    expect(lastOf(one)).toMatchObject({
      type: 'result',
      checkpoints: [{ id: newer, status: 'stopped', steps: expect.any(Number), blocked: null }],
    });
  });
});

describe('kit run --resume', () => {
  it.each([
    { how: '--resume', flags: () => ['--resume'] },
    { how: '--resume=<id>', flags: (id: string) => [`--resume=${id}`] },
    { how: '--resume <id>', flags: (id: string) => ['--resume', id] },
    { how: '--resume=<prefix>', flags: (id: string) => [`--resume=${id.slice(0, 5)}`] },
  ])('$how goes on with the run', async ({ how, flags }) => {
    const dir = workspace(`resume-${how.replaceAll(/\W/g, '')}`);
    const id = await stoppedRun(dir);
    const before = server.asked().length;

    const result = await kit('run', dir, ...flags(id), '--json');

    expect(result.code).toBe(0);
    expect(lastOf(result)).toMatchObject({ id, status: 'completed', output: 'all done' });
    // The boss's first answer is not asked for again; the call that was given up is.
    expect(server.asked().slice(before)).toEqual(['helper', 'boss']);
  });

  it('refuses what it cannot go on with, and calls nobody', async () => {
    const dir = workspace('refused');
    const id = await stoppedRun(dir);
    const done = String(lastOf(await kit('run', dir, 'talk', '--input', 'hi', '--json')).id);
    copyJob(join(dir, '.kit/store.sqlite'), id);
    const before = server.asked().length;
    const codeOf = async (...argv: string[]) => {
      const result = await kit('run', dir, ...argv, '--json');
      return [result.code, lastOf(result).code];
    };

    expect(await codeOf('other', `--resume=${id}`)).toEqual([2, 'KIT_USAGE']);
    expect(await codeOf('talk@9.9.9', `--resume=${id}`)).toEqual([2, 'KIT_USAGE']);
    expect(await codeOf(`--resume=${id.slice(0, 11)}`)).toEqual([2, 'KIT_JOB_ID_AMBIGUOUS']);
    expect(await codeOf('--resume=ffffffffffff')).toEqual([2, 'KIT_JOB_UNKNOWN']);
    expect(await codeOf(`--resume=${done}`)).toEqual([2, 'KIT_JOB_NOT_RESUMABLE']);
    expect(server.asked()).toHaveLength(before);
  });

  it('with nothing to go on with is exit 2, and nothing is written', async () => {
    const dir = workspace('nothing');

    const result = await kit('run', dir, 'talk', '--resume', '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code: 'KIT_NOTHING_TO_RESUME' });
  });
});

describe('two workspaces with one state directory', () => {
  it('a run does not go on in the files of the other workspace', async () => {
    const [mine, other] = [workspace('mine'), workspace('other')];
    world.files('other', {
      'workspace.yaml':
        'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: other, name: Other }\nmemory: { enabled: false }\n',
    });
    const env = { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test', KIT_STATE_DIR: join(world.base, 'shared') };
    server.hold();
    const live = world.start(['run', mine, 'talk', '--input', 'hi', '--json'], { env, stdin: '' });
    await server.held();
    live.child.kill('SIGINT');
    await live.sees(/press Ctrl-C again/);
    server.release();
    expect((await live.ended).code).toBe(4);

    const refused = await world.here(['run', other, '--resume'], { env });
    const resumed = await world.here(['run', mine, '--resume', '--json'], { env });

    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('KIT_JOB_NOT_RESUMABLE');
    expect(refused.stderr).toContain('the workspace talk, and this is other');
    expect(lastOf(resumed)).toMatchObject({ type: 'result', status: 'completed' });
  });
});
