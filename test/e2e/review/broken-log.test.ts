import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../../support/kit-process.js';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const last = (result: KitResult) => result.lines().at(-1) ?? {};

async function parked(name: string) {
  const directory = world.files(name, gated());
  const run = await world.here(['run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json']);
  expect(run.code).toBe(3);
  const job = String(last(run).id);
  return {
    directory,
    job,
    sign: (role: string, who: string) =>
      world.here(['review', 'resolve', `mpa-${job}:writer-0-${role}`, directory, '--as', who, '--approve']),
    tamper: (sql: string): void => {
      const db = new Database(join(directory, '.kit', 'store.sqlite'));
      db.exec(sql);
      db.close();
    },
    resume: () => world.here(['run', directory, `--resume=${job}`, '--json']),
    rows: () => {
      const db = new Database(join(directory, '.kit', 'store.sqlite'), { readonly: true });
      const found = [
        db.prepare('SELECT status, output FROM jobs WHERE id = ?').get(job),
        db.prepare('SELECT count(*) AS events FROM events WHERE job_id = ?').get(job),
      ];
      db.close();
      return found;
    },
  };
}

const BROKEN = { code: 'KIT_LOG_BROKEN', exit: 1 };

describe('a run whose store was changed by hand', () => {
  it.each([
    ['gates', "UPDATE gates SET status = 'approved'", /round 0 states approved, but its decisions come to pending/],
    [
      'gates and tasks',
      "UPDATE gates SET status = 'approved'; UPDATE review_items SET status = 'approved'",
      /round 0 states approved, but its decisions come to pending/,
    ],
    [
      'an event',
      "DROP TRIGGER events_no_update; UPDATE event_rows SET payload = replace(payload, 'qa-1', 'mallory') WHERE type = 'approval.role_task_resolved'",
      /event \d+ \(approval\.role_task_resolved\) is not what was hashed/,
    ],
  ])('does not go on after a change of %s, stays as it is, and is named everywhere', async (name, sql, message) => {
    const run = await parked(`broken-${name.replaceAll(' ', '-')}`);
    expect((await run.sign('qa', 'qa-1')).code).toBe(0);
    expect((await world.here(['review', 'gate', `${run.job}:writer`, run.directory])).code).toBe(0);
    run.tamper(sql);
    const before = run.rows();

    const resumed = await run.resume();
    expect([resumed.code, last(resumed)]).toEqual([
      1,
      expect.objectContaining({ ...BROKEN, message: expect.stringMatching(message) }),
    ]);
    expect(run.rows()).toEqual(before);

    const gate = await world.here(['review', 'gate', `${run.job}:writer`, run.directory, '--json']);
    expect(last(gate)).toMatchObject({ ...BROKEN, message: expect.stringMatching(message) });
    const doctor = await world.here(['doctor', run.directory, '--full', '--json']);
    expect(last(doctor)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ id: 'logs', status: 'fail', found: expect.stringMatching(message) }),
      ]),
    });
    expect(run.rows()).toEqual(before);
  });

  it('goes on where nothing was changed', async () => {
    const run = await parked('whole');
    expect((await run.sign('qa', 'qa-1')).code).toBe(0);
    expect((await run.sign('ops', 'ops-1')).code).toBe(0);
    const doctor = await world.here(['doctor', run.directory, '--full', '--json']);
    expect(last(doctor)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ id: 'logs', status: 'ok', found: 'the logs of all 1 run are intact' }),
      ]),
    });
    expect(run.rows()[0]).toMatchObject({ status: 'completed' });
  });
});
