import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './why/scene.js';
import { makeWorld, type World } from './world.js';

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await makeWorld();
  scene = await openScene(world);
});
afterAll(async () => {
  await scene.close();
  await world.dispose();
});

it('a failed run names its retry, which ends it as it was printed, and is made once', async () => {
  scene.reply = { do: 'status', status: 401 };
  const failed = await scene.kit('run', 'talk', '--input', 'hi');
  const [line = '', id = ''] = /kit retry ([0-9a-f]{12})/.exec(failed.stderr) ?? [];
  expect(failed.code, failed.stderr).toBe(1);
  expect(await scene.why(id)).toMatchObject({ code: 'failed.provider-auth' });
  scene.reply = { do: 'answer', text: 'ok' };

  const retried = await scene.kit(...line.split(' ').slice(1));
  const again = await scene.kit('retry', id);

  expect({ code: retried.code, stdout: retried.stdout }, retried.stderr).toEqual({ code: 0, stdout: 'ok\n' });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^it was retried before, as run .* completed/),
  });

  const [, next = ''] = /run ([0-9a-f]{12})/.exec(again.stdout) ?? [];
  for (const [run, words] of [
    [id, `${id} (this) → ${next}`],
    [next, `${id} → ${next} (this)`],
  ] as const)
    expect((await scene.kit('trace', run)).stdout).toContain(`line of runs: ${words}`);
  const report = await scene.kit('report', next, '--output', 'line.html');
  expect(report.code, report.stderr).toBe(0);
  expect(readFileSync(join(scene.dir, 'line.html'), 'utf8')).toContain(`line of runs: ${id} → ${next} (this)`);
});
