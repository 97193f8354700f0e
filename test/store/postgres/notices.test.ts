import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { Connections, OwnConnection } from '../../../src/store/postgres/connections.js';
import { Notices } from '../../../src/store/postgres/notices.js';
import { listenOf, NOTHING_TO_LOSE, notifyOf } from '../../../src/store/postgres/sql/session.js';
import type { SqlRunner } from '../../../src/store/postgres/sql-runner.js';
import type { Writer } from '../../../src/store/postgres/writer.js';

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
