import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed, shuffled } from '../../support/crash-share.js';
import { makeWorld, type World } from '../world.js';
import { ENDINGS } from './endings.js';
import { FAILURES } from './failures.js';
import { WAITING } from './people.js';
import { openScene, type Scene } from './scene.js';
import type { Row } from './situations.js';

/**
 * All of them take some minutes of processes; `npm run test:long` makes a share of them, another
 * for each seed.
 */
const ROWS: readonly Row[] = [...FAILURES, ...WAITING, ...ENDINGS];
const SHARE = 5;
const chosen = process.env.KIT_TEST_WHY === 'full' ? ROWS : shuffled(ROWS).slice(0, SHARE);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

it('there are at least thirty situations, each of its own', () => {
  expect(new Set(ROWS.map(({ code }) => code)).size).toBe(ROWS.length);
  expect(ROWS.length).toBeGreaterThanOrEqual(30);
});

describe(`kit why, of runs that come into a situation for real (${chosen.length} of ${ROWS.length}, seed ${seed()})`, () => {
  it.each(chosen)(
    'says $code and who can act, and the line that it prints changes that',
    { timeout: 120_000 },
    async (row) => {
      const scene = await openScene(world);
      try {
        await follow(row, scene);
      } finally {
        scene.letGo();
        await scene.close();
      }
    },
  );
});

async function follow(row: Row, scene: Scene): Promise<void> {
  const run = await row.make(scene);

  const before = await scene.why(run);
  const [actor] = before.actors;
  expect([before.code, actor?.kind]).toEqual([row.code, row.actor]);
  if (row.names !== undefined) expect(actor?.names).toEqual(row.names);
  expect(before.cause).not.toBe('');
  expect(before.facts.length).toBeGreaterThan(0);
  // What must come is named wherever the line alone does not help, and nowhere else.
  expect([row.code, before.next.fact === null]).toEqual([row.code, row.fix === undefined]);
  await row.fix?.(scene);
  const pasted = await scene.paste(before.next.command);
  const after = await scene.why(run);

  // 1, 3 and 4: the line went on with a run that failed, parked again or is stopped.
  expect([0, 1, 3, 4], `${before.next.command}: ${pasted.said}`).toContain(pasted.code);
  if (row.becomes === undefined)
    expect({ code: after.code, cause: after.cause, next: after.next }).not.toEqual({
      code: before.code,
      cause: before.cause,
      next: before.next,
    });
  else expect(after.code, `${before.next.command}: ${pasted.said}`).toBe(row.becomes);
}
