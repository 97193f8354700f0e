import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAULT_POINTS } from '../../../src/store/fault-points.js';
import { dumpStore, type StoreDump } from '../../support/store-dump.js';
import { startStoreProcess } from '../../support/store-process.js';
import { openSqliteWorld } from '../../support/store-world.js';

interface Hit {
  readonly name: string;
  /**
   * What an independent connection sees at this point: what a crash here may leave, and nothing
   * else.
   */
  readonly dump: StoreDump;
}

const AT_ONCE = 3;

describe('a store process that is killed', () => {
  let root: string;
  let hits: readonly Hit[];
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kit-crash-'));
    const recorder = await startStoreProcess('store-crash-process.ts', join(root, 'record'), '0');
    const recorded = await recorder.rest<Hit>();
    expect(recorded, recorded.stderr).toMatchObject({ code: 0 });
    hits = recorded.lines;
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('passes every fault point of the table in the scenario', () => {
    expect([...new Set(hits.map((hit) => hit.name))].sort()).toEqual([...FAULT_POINTS].sort());
  });

  it('has made nothing durable before a commit and everything after it', () => {
    let durable = JSON.stringify({ tables: null, serving: null, blobs: [], sealed: null });
    for (const [index, { name, dump }] of hits.entries()) {
      const seen = JSON.stringify(dump);
      if (name.endsWith(':before')) expect(seen, `${index} ${name}`).toBe(durable);
      else if (hits[index - 1]?.name.endsWith(':before') === true) expect(seen, `${index} ${name}`).not.toBe(durable);
      durable = seen;
    }
  });

  it('leaves at every fault point exactly what was committed, and a store that opens', async () => {
    const left = hits.map((hit, index) => ({ ...hit, index }));
    const check = async ({ name, dump, index }: (typeof left)[number]): Promise<void> => {
      const stateDir = join(root, `killed-${index}`);
      const killed = await startStoreProcess('store-crash-process.ts', stateDir, String(index + 1));
      const { signal, stderr } = await killed.rest();
      const where = `${index + 1} of ${hits.length}: ${name} ${stderr}`;
      expect(signal, where).toBe('SIGKILL');
      expect(dumpStore(stateDir), where).toEqual(dump);
      const world = await openSqliteWorld({ stateDir });
      await world.stores.jobs.list({ limit: 10 });
      await world.dispose();
      const db = new Database(world.path);
      expect(db.pragma('integrity_check', { simple: true }), where).toBe('ok');
      db.close();
    };
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await check(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    console.log(`store crash test: ${hits.length}/${hits.length} points of ${FAULT_POINTS.length} names`);
  }, 180_000);
});
