import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { makeWorld, type World } from '../world.js';
import { machineWithout, needyWorkspace, programsIn, SAID } from './lacking-machine.js';

let world: World;
let model: LeaderServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

describe.each(['key', 'credential', 'program'] as const)('a machine without the %s of a parked run', (lack) => {
  it('takes decisions, leaves the run as it is, and says what is lacking', async () => {
    const at = world.files(lack, needyWorkspace());
    const machine = { modelUrl: model.url, programs: await programsIn(world, `${lack}-programs`) };
    const [whole, lacking] = [{ env: machineWithout(null, machine) }, { env: machineWithout(lack, machine) }];
    const before = model.asked().length;
    const run = await world.here(['run', at, 'talk', '--input', 'hi', '--as', 'dana'], whole);
    expect(run.code, run.stderr).toBe(3);
    const [, id = ''] = /run ([0-9a-f]{12})/.exec(run.stderr) ?? [];
    const paid = model.asked().length;
    expect(paid).toBeGreaterThan(before);
    const statusOf = async () =>
      (await world.here(['status', at, '--json'], lacking))
        .lines()
        .flatMap(({ runs }) => runs as { status: string }[])[0]?.status;

    const [qa, ops] = await Promise.all(
      ['qa', 'ops'].map((role) =>
        world.here(['review', 'resolve', `mpa-${id}:boss-0-${role}`, at, '--as', `${role}-1`, '--approve'], lacking),
      ),
    );
    expect([qa?.code, ops?.code], `${qa?.stderr}${ops?.stderr}`).toEqual([0, 0]);
    expect(`${qa?.stdout}${ops?.stdout}`).toContain(SAID[lack]);
    expect(await statusOf()).toBe('pending');

    const resumed = await world.here(['run', at, 'talk', `--resume=${id}`], lacking);
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining(SAID[lack])]);
    expect((await world.here(['checkpoints', at], lacking)).stdout).toContain(SAID[lack]);
    expect((await world.here(['why', id, at], lacking)).stdout).toContain(SAID[lack]);
    expect([await statusOf(), model.asked().length]).toEqual(['pending', paid]);

    const done = await world.here(['run', at, 'talk', `--resume=${id}`], whole);
    expect(done.code, done.stderr).toBe(0);
    expect([await statusOf(), model.asked().length]).toEqual(['completed', paid]);
  });
});
