import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type KitResult, projectRoot } from '../support/kit-process.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace, localProvider, talk } from './workspaces.js';
import { eventsOf, type LiveKit, lastOf, makeWorld, processesOf, untilExecuted, type World } from './world.js';

let world: World;
let server: LeaderServer;
let dir: string;
let count = 0;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());
beforeEach(async () => {
  server = await startLeaderServer();
  count += 1;
  dir = world.files(`talk-${count}`, talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
});
afterEach(() => server.close());

const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' });
const kit = (...argv: string[]): Promise<KitResult> => world.kit(argv, { env: env() });

/** A run whose helper waits for its model. */
async function heldRun(...flags: string[]): Promise<LiveKit> {
  server.hold();
  const live = world.start(['run', dir, 'talk', '--input', 'hi', ...flags], { env: env(), stdin: '' });
  await server.held();
  return live;
}

const ENDINGS = [
  { what: 'completed', exit: 0, script: () => {}, topology: 'talk' },
  {
    what: 'failed',
    exit: 1,
    script: () => server.script({ do: 'status', status: 400, message: 'no such model' }),
    topology: 'talk',
  },
  { what: 'refused', exit: 2, script: () => {}, topology: 'unknown' },
];

describe.each(ENDINGS)('a run that is $what', ({ what, exit, script, topology }) => {
  it(`exits ${exit}: the output on stdout, the reason on stderr`, async () => {
    script();

    const result = await kit('run', dir, topology, '--input', 'hi');

    expect(result.code).toBe(exit);
    expect(result.stdout).toBe(exit === 0 ? 'all done\n' : '');
    expect(result.stderr).toMatch(
      { 0: /^completed +run/m, 1: /^failed: .*run [0-9a-f]{12} of talk/m, 2: /KIT_TOPOLOGY_UNKNOWN.*\n {2}hint:/ }[
        exit
      ] ?? /never/,
    );
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it(`exits ${exit} with --json and tells it in the last line`, async () => {
    script();

    const result = await kit('run', dir, topology, '--input', 'hi', '--json');

    expect(result.code).toBe(exit);
    expect(lastOf(result)).toMatchObject(
      exit === 2 ? { type: 'error', code: 'KIT_TOPOLOGY_UNKNOWN', exit: 2 } : { type: 'result', status: what },
    );
    expect(result.stderr).toBe('');
  });
});

describe('a reader that goes away', () => {
  it.each([
    { what: 'stdout', line: '"$0" "$@" --json | head -1' },
    { what: 'stdout and stderr', line: '"$0" "$@" 2>&1 | head -1' },
  ])('of $what does not cut the run off: it ends in its own way, and nothing is said about it', async ({ line }) => {
    const child = spawn(
      'sh',
      ['-c', line, process.execPath, join(projectRoot, 'bin/kit.js'), 'run', dir, 'talk', '--input', 'hi', '--json'],
      {
        env: { ...world.env, ...env() },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const read = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => (read.stdout += data));
    child.stderr.on('data', (data) => (read.stderr += data));
    await once(child, 'close');

    expect(read.stdout.trim().split('\n')).toHaveLength(1);
    expect(read.stderr).toBe('');
    expect(server.asked()).toEqual(['boss', 'helper', 'boss']);
    expect(lastOf(await kit('checkpoints', dir, '--json'))).toMatchObject({ checkpoints: [] });
  });
});

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  it('once: the call in flight is given up, the run exits 4, and a resume asks for that call alone again', async () => {
    const live = await heldRun('--json');
    live.child.kill(signal);
    await live.sees(/stopping [0-9a-f]{12}: /);
    // Nobody answers the call in flight.
    const stopped = await live.ended;
    server.release();
    const resumed = await kit('run', dir, 'talk', '--resume', '--json');

    expect(stopped.code).toBe(4);
    expect(lastOf(stopped)).toMatchObject({ type: 'result', status: 'stopped' });
    expect(resumed.code).toBe(0);
    expect(lastOf(resumed)).toMatchObject({ status: 'completed', output: 'all done', id: lastOf(stopped).id });
    expect(server.asked()).toEqual(['boss', 'helper', 'helper', 'boss']);
    expect(eventsOf(resumed).filter(({ type }) => type === 'step.repeated')).toHaveLength(1);
  });
});

describe('SIGINT', () => {
  it('tells a person how to go on, with the workspace as it was named', async () => {
    server.hold();
    const live = world.start(['run', '-w', dir, 'talk', '--input', 'hi'], { env: env(), stdin: '' });
    await server.held();
    live.child.kill('SIGINT');
    await live.sees(/press Ctrl-C again to end them at once/);
    const stopped = await live.ended;
    server.release();

    expect(stopped).toMatchObject({ code: 4, stdout: '' });
    expect(/go on: +kit run (\S+) talk --resume=[0-9a-f]{12}/.exec(stopped.stderr)?.[1]).toBe(dir);
  });

  it('twice: exit 130 with no process left, and the run can go on', async () => {
    const repo = makeRepositoryIn(
      world,
      'endless',
      harnessWorkspace('trap "" TERM INT; echo "{\\"type\\":\\"begun\\"}" >&2; sleep 600 & wait; sleep 600'),
    );
    const refused = await kit('run', repo.root, 'own', '--input', 'hi');
    const trust = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
    const live = world.start(['run', repo.root, 'own', '--input', 'hi', '--trust', trust, '--json'], { stdin: '' });
    await live.sees(/"executor.started"/);
    await untilExecuted(world.temp, 'sleep 600');

    live.child.kill('SIGINT');
    await live.sees(/press Ctrl-C again/);
    live.child.kill('SIGINT');
    const result = await live.ended;

    expect(result.code).toBe(130);
    expect(lastOf(result)).toMatchObject({ status: 'stopped' });
    expect(processesOf(world.temp)).toEqual([]);
    expect(lastOf(await kit('checkpoints', repo.root, '--json'))).toMatchObject({
      checkpoints: [{ id: lastOf(result).id }],
    });
  });
});

describe('kill -9', () => {
  it('leaves a run that is listed with its cause and goes on from its journal', async () => {
    const live = await heldRun();
    live.child.kill('SIGKILL');
    await live.ended;
    server.release();

    const listed = await kit('checkpoints', dir);
    const resumed = await kit('run', dir, 'talk', '--resume', '--json');

    expect(listed.stdout).toMatch(/^[0-9a-f]{12} +talk 1\.0\.0 +stopped/m);
    expect(listed.stdout).toMatch(/died/);
    expect(listed.stdout).toMatch(/go on with: kit run \S+ talk --resume=[0-9a-f]{12}/);
    expect(resumed.code).toBe(0);
    expect(lastOf(resumed)).toMatchObject({ status: 'completed', output: 'all done' });
    // The call that nobody knows the end of is made again and said so; the one before it is not.
    expect(server.asked()).toEqual(['boss', 'helper', 'helper', 'boss']);
    expect(eventsOf(resumed).filter(({ type }) => type === 'step.repeated')).toHaveLength(1);
    expect(lastOf(await kit('checkpoints', dir, '--json'))).toMatchObject({ checkpoints: [] });
  });
});
