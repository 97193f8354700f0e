import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
let dir: string;
beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('talk', talk());
});
afterAll(() => world.dispose());

const warnings = (text: string): readonly string[] => text.split('\n').filter((line) => line.includes('not yet:'));

it('no variable that is set is said to be without an effect', async () => {
  const result = await world.here(['run', dir, 'talk', '--input', 'hi'], {
    env: { KIT_MAX_TOOLS: '3', KIT_OAUTH_RUN_WINDOW_S: '60' },
  });

  expect(result.code).toBe(0);
  expect(warnings(result.stderr)).toEqual([]);
});
