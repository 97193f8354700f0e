import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Documents, showsEffect } from '../support/shows-effect.js';
import { makeWorld, type World } from './world.js';

const head = (kind: string) => ({ apiVersion: 'kit/v1', kind });
const BASE: Documents = {
  'workspace.json': { ...head('Workspace'), metadata: { id: 'w', name: 'W' }, memory: { enabled: false } },
  'topologies/talk.json': {
    ...head('Topology'),
    metadata: { name: 'talk', version: '1.0.0' },
    agents: { root: { id: 'boss', role: 'root', model: { provider: 'mock', name: 'm1' } } },
  },
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/**
 * Steps that lost their result, of the runs that two calls of `kit run` leave; the first ended ten
 * days before the second.
 */
async function prunedSteps(directory: string): Promise<unknown> {
  const run = () => world.kit(['run', directory, 'talk', '--input', 'hello', '--json']);
  expect(await run()).toMatchObject({ code: 0 });
  const file = join(directory, '.kit', 'store.sqlite');
  change(file, "UPDATE jobs SET completed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-10 days')");
  expect(await run()).toMatchObject({ code: 0 });
  const db = new Database(file, { readonly: true });
  try {
    return db
      .prepare(
        'SELECT s.kind, s.pruned_at IS NOT NULL AS is_pruned FROM steps s JOIN jobs j ON j.id = s.job_id ORDER BY j.ord, s.ord',
      )
      .all();
  } finally {
    db.close();
  }
}

function change(file: string, sql: string): void {
  const db = new Database(file, { timeout: 5000 });
  db.exec(sql);
  db.close();
}

it.each([
  ['an old run', 7, 30],
  ['the run that has just ended', 0, 7],
  ['an old run, by default', undefined, 30],
])(
  'Workspace.storage.journal_days decides how long the results of %s stay',
  async (_, a, b) => {
    await showsEffect('Workspace.storage.journal_days', a, b, { base: BASE, observe: prunedSteps });
  },
  60_000,
);
