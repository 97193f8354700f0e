import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ran } from './harness-run.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

describe('behind a gate', () => {
  it('nothing is applied before it is signed; then kit apply says who signed which bytes', async () => {
    const { id, kit, read, text } = await ran(world, 'gated', {}, true);
    const open = await kit('apply', id, '--partial', '--json');
    const item = `mpa-${id}:builder-0-lead`;
    const approved = await kit('review', 'resolve', item, '--as', 'ann', '--approve');
    const stat = await kit('diff', id, '--stat');
    const applied = await kit('apply', id);

    expect(text).toContain(`kit diff ${id}`);
    expect(text).not.toContain('kit apply');
    expect(open.code).toBe(2);
    expect(lastOf(open)).toMatchObject({ code: 'KIT_APPLY_REFUSED', message: expect.stringContaining('is open') });
    expect(approved.stdout).toContain(`kit apply ${id}`);
    expect(stat.stdout).toContain(`gate ${id}:builder approved by ann`);
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain(
      `builder: signed by ann at gate ${id}:builder; these are the bytes that were signed`,
    );
    expect(read('numbers.txt')).toContain('TWO');
  });

  it('what was rejected is never applied', async () => {
    const { repo, id, kit } = await ran(world, 'rejected', {}, true);
    const item = `mpa-${id}:builder-0-lead`;
    await kit('review', 'resolve', item, '--as', 'ann', '--reject', '--comment', 'no');
    const before = repo.digest();

    const result = await kit('apply', id, '--partial', '--force', '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      code: 'KIT_APPLY_REFUSED',
      message: expect.stringContaining(`gate ${id}:builder was rejected`),
    });
    expect(repo.digest()).toBe(before);
  });

  it('bytes that differ from what was signed are refused', async () => {
    const { repo, id, kit } = await ran(world, 'swapped', {}, true);
    const item = `mpa-${id}:builder-0-lead`;
    await kit('review', 'resolve', item, '--as', 'ann', '--approve');
    const store = new Database(join(repo.root, 'kit/.kit/store.sqlite'));
    store.exec("UPDATE step_rows SET outcome = replace(outcome, 'TWO', 'EVIL') WHERE kind = 'harness'");
    store.close();

    const result = await kit('apply', id, '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ message: expect.stringContaining('is not what the journal holds') });
  });
});
