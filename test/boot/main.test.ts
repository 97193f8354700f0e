import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { talk } from '../e2e/workspaces.js';
import { makeWorld, type World } from '../e2e/world.js';
import { runKitHere } from '../support/kit-process.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  world.files('sound', talk());
  world.files('broken', { ...talk(), 'topologies/talk.yaml': 'apiVersion: kit/v1\nkind: Topology\n' });
});
afterAll(() => world.dispose());

/** One line of each ending, in the order of their exit codes. */
const LINES = [
  { argv: ['validate', 'sound'], code: 0, says: 'talk' },
  { argv: ['validate', 'broken'], code: 1, says: 'error[' },
  { argv: ['run', 'sound', 'nobody', '-i', 'x'], code: 2, says: 'KIT_TOPOLOGY_UNKNOWN' },
  { argv: ['validate', 'sound', '--json'], code: 0, says: '"type":"result"' },
  { argv: ['no-such-command', '--json'], code: 2, says: '"type":"error"' },
  { argv: ['--help'], code: 0, says: '$ kit [COMMAND]' },
] as const;

/** What a call could leave behind in the process that made it. */
const processState = () => ({
  exitCode: process.exitCode,
  cwd: process.cwd(),
  env: { ...process.env },
  listeners: [process, process.stdout, process.stderr].map((source) =>
    source.eventNames().map((name) => [name, source.listenerCount(name)]),
  ),
});

describe('main, called in one process', () => {
  it('leaves the process as it was: exit code, variables, directory, listeners and streams', async () => {
    await world.here(['validate', 'sound']); // what Node and oclif load once for the process
    const written = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
    const before = processState();

    for (const { argv, code } of LINES) expect((await world.here(argv)).code).toBe(code);

    expect(processState()).toEqual(before);
    for (const write of written) {
      expect(write).not.toHaveBeenCalled();
      write.mockRestore();
    }
  });

  it('answers calls side by side as it answers them one after another', async () => {
    const results = await Promise.all(LINES.map(({ argv }) => world.here(argv)));

    expect(results.map(({ code }) => code)).toEqual(LINES.map(({ code }) => code));
    for (const [index, { says }] of LINES.entries()) {
      const { stdout, stderr } = results[index]!;
      expect(`${stdout}${stderr}`).toContain(says);
    }
  });

  it('keeps the environment and the directory of one call out of the next', async () => {
    const dir = join(world.base, 'sound');
    const loud = await runKitHere(['validate'], { cwd: world.base, env: { ...world.env, KIT_WORKSPACE: 'sound' } });
    const plain = await runKitHere(['validate'], { cwd: world.base, env: world.env });
    const inside = await runKitHere(['validate'], { cwd: dir, env: world.env });

    expect([loud.code, plain.code, inside.code]).toEqual([0, 2, 0]);
  });

  it('takes paths of the environment from its own directory', async () => {
    const dir = world.files('stated', talk());

    const { code } = await runKitHere(['run', dir, 'talk', '-i', 'x'], {
      cwd: world.base,
      env: { ...world.env, KIT_STATE_DIR: 'elsewhere' },
    });

    expect(code).toBe(0);
    expect(existsSync(join(world.base, 'elsewhere', 'store.sqlite'))).toBe(true);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });

  it('reads the input of a run from its own stdin', async () => {
    const result = await world.here(['run', 'sound', 'talk', '--json'], { stdin: 'what is new' });

    expect(result.code).toBe(0);
    expect(result.lines()[0]).toMatchObject({ event_type: 'run.started' });
    expect(await world.here(['run', 'sound', 'talk'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin ended without a byte'),
    });
  });
});
