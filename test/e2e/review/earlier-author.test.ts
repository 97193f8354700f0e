import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated, PEOPLE } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const idOf = (stdout: string): string =>
  String((JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { id: string }).id);

describe('a fork of a run', () => {
  it('is the work of whoever submitted the run as well: that person signs none of its gates', async () => {
    const at = world.files('forked', gated({ roles: PEOPLE.replace('qa-2]', 'qa-2, alice]') }));
    const run = async (argv: readonly string[]) => idOf((await world.here([...argv, '--json'])).stdout);
    const source = await run(['run', at, 'release', '--input', 'hi', '--as', 'alice']);
    const fork = await run(['debug', 'fork', source, at, '--from', 'root/g0', '--as', 'dana']);
    const again = await run(['debug', 'fork', fork, at, '--from', 'root/g0', '--as', 'qa-2']);

    const sign = (job: string, who: string) =>
      world.here(['review', 'resolve', `mpa-${job}:writer-0-qa`, at, '--as', who, '--approve', '--no-resume']);
    for (const [job, who, of] of [
      [fork, 'alice', source],
      [again, 'alice', source],
      [again, 'dana', fork],
    ] as const) {
      const refused = await sign(job, who);
      expect([who, refused.code]).toEqual([who, 2]);
      if (who === 'alice')
        expect(refused.stderr).toContain(`"alice" submitted run ${of}, which run ${job} goes on from, and the policy`);
    }
    expect((await world.here(['review', 'gate', `${again}:writer`, at])).stdout).toContain(
      `goes on from run ${source} of alice, run ${fork} of dana, who may not approve either`,
    );
    // Who decides or resumes has not asked for the work.
    expect((await sign(again, 'qa-1')).code).toBe(0);
  });
});
