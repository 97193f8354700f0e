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

it('a run that the provider refuses names the way on that kit why names, for whoever submitted it', async () => {
  scene.reply = { do: 'status', status: 400 };
  const failed = await scene.kit('run', 'talk', '--input', 'hi', '--as', 'anna');
  const [, id = ''] = /run ([0-9a-f]{12})/.exec(failed.stderr) ?? [];
  const why = await scene.kit('why', id);

  expect(failed.stderr).not.toContain('kit retry');
  expect(failed.stderr).toContain(`go on:  kit run talk --supersedes ${id} --input hi --as anna`);
  expect(why.stdout).toContain(`next: kit run talk --supersedes ${id} --input hi`);
  expect(why.stdout).toMatch(/ {2}\S+: failed: provider.bad_request in /);
});

it('asked again for a retry that has failed as well, kit retry fails and names the way on', async () => {
  scene.reply = { do: 'status', status: 401 };
  const failed = await scene.kit('run', 'talk', '--input', 'hi');
  const [, id = ''] = /kit retry ([0-9a-f]{12})/.exec(failed.stderr) ?? [];
  const retried = await scene.kit('retry', id);
  const again = await scene.kit('retry', id);

  expect(retried.code, retried.stderr).toBe(1);
  expect(again.code, again.stderr).toBe(1);
  expect(again.stdout).toMatch(/which is failed; look: kit why ([0-9a-f]{12})\n.*\nnext: kit retry \1\n$/s);
});
