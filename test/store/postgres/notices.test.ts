import { EventEmitter } from 'node:events';
import pg from 'pg';
import { expect, it } from 'vitest';
import type { Connections, OwnConnection } from '../../../src/store/postgres/connections.js';
import { Notices } from '../../../src/store/postgres/notices.js';
import { listenOf, NOTHING_TO_LOSE, notifyOf, notifyUnsyncedOf } from '../../../src/store/postgres/sql/session.js';
import type { SqlRunner } from '../../../src/store/postgres/sql-runner.js';
import type { Writer } from '../../../src/store/postgres/writer.js';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { newJob } from '../../support/store-samples.js';

const CHANNEL = 'kit_change';

it('tells others without a wait for the disk, and many commits at once by two notices', async () => {
  const said: string[] = [];
  const sql = { exec: async (text: string) => [said.push(text)] } as Partial<SqlRunner> as SqlRunner;
  const client = new EventEmitter() as EventEmitter & OwnConnection['client'];
  const own: OwnConnection = { client, sql, close: async () => undefined };
  const notices = new Notices({
    connections: { open: async () => own } as Partial<Connections> as Connections,
    writer: {} as Partial<Writer> as Writer,
    pacing: { nowMs: () => 0 },
    channel: CHANNEL,
    onNotice: () => undefined,
  });
  notices.listen();
  for (let n = 0; n < 1000; n += 1) notices.send('work');
  await notices.close();

  const told = notifyOf(CHANNEL, '');
  expect(said).toEqual([NOTHING_TO_LOSE, listenOf(CHANNEL), told, told]);
});

const processes = openPostgresProcesses();

it('a notice that is due goes out behind the commit, which a listener hears of after it', async () => {
  const texts: unknown[] = [];
  const { query } = pg.Client.prototype;
  await withClient(processes.world.database.url, async (client) => {
    await client.query(`LISTEN ${CHANNEL}`);
    const heard = new Promise<readonly unknown[]>((resolve) => {
      client.once('notification', ({ payload }) => {
        // Of whoever listens: what it is told of is there.
        void client.query('SELECT count(*)::int AS jobs FROM kit.jobs').then(({ rows }) => resolve([payload, rows]));
      });
    });
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (this !== client) texts.push(args[0]);
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      await processes.world.stores.jobs.insert(newJob(processes.world.ids.jobId()), 'queued', []);
    } finally {
      pg.Client.prototype.query = query;
    }

    expect(await heard).toEqual(['', [{ jobs: 1 }]]);
  });
  expect(texts.slice(-2)).toEqual(['COMMIT', notifyUnsyncedOf(CHANNEL, '')]);
});
