import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { makeWorld, type World } from '../world.js';
import { LACKS, makeNeedy, parkedRun, SAID_IN_SHELL } from './lacking-machine.js';

let world: World;
let model: LeaderServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

describe.each(LACKS)('a machine without the %s of a parked run', (lack) => {
  it('takes decisions, leaves the run as it is, and says what is lacking', async () => {
    const needy = await makeNeedy(world, { name: lack, modelUrl: model.url });
    const { at, without } = needy;
    const [whole, lacking] = [{ env: without(null) }, { env: without(lack) }];
    const before = model.asked().length;
    const id = await parkedRun(world, needy);
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
    expect(`${qa?.stdout}${ops?.stdout}`).toContain(SAID_IN_SHELL[lack]);
    expect(await statusOf()).toBe('pending');

    const resumed = await world.here(['run', at, 'talk', `--resume=${id}`], lacking);
    // Without the plugin the workspace itself is wrong here.
    const refused = lack === 'plugin' ? 1 : 2;
    expect([resumed.code, resumed.stderr]).toEqual([refused, expect.stringContaining(SAID_IN_SHELL[lack])]);
    expect((await world.here(['checkpoints', at], lacking)).stdout).toContain(SAID_IN_SHELL[lack]);
    expect((await world.here(['why', id, at], lacking)).stdout).toContain(SAID_IN_SHELL[lack]);
    expect([await statusOf(), model.asked().length]).toEqual(['pending', paid]);

    const done = await world.here(['run', at, 'talk', `--resume=${id}`], whole);
    expect(done.code, done.stderr).toBe(0);
    expect([await statusOf(), model.asked().length]).toEqual(['completed', paid]);
  });
});
