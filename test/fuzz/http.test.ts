import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDatabase } from '../support/components/postgres.js';
import { seed } from '../support/crash-share.js';
import { type AttackReport, attack } from '../support/http/fuzz/attack.js';
import { leakIn } from '../support/http/fuzz/judge.js';
import { type FuzzServer, openFuzzServer } from '../support/http/fuzz/server.js';
import { dumpPostgres } from '../support/postgres-dump.js';
import { dumpStore } from '../support/store-dump.js';

/**
 * Requests of a share; `npm run fuzz` sends 50,000 to a server over SQLite, and a fifth of it to
 * one over PostgreSQL.
 */
const COUNT = Number(process.env.KIT_TEST_FUZZ_HTTP ?? '1200');
const COUNT_POSTGRES = Math.ceil(COUNT / 5);
const timeoutOf = (count: number): number => Math.max(180_000, count * 60);

function show(where: string, { sent, seconds, statuses, failures, slowest, missed }: AttackReport): void {
  console.log(
    `fuzz of HTTP over ${where}: seed ${seed()}, ${sent} requests in ${seconds.toFixed(0)} s, by status ${JSON.stringify(statuses)}`,
  );
  console.log([`slowest ${slowest}`, ...missed.map((line) => `no 200 of ${line}`), ...failures].join('\n'));
}

/** What holds of every attack, and that something was attacked at all. */
function assertHeld(
  server: FuzzServer,
  { failures, statuses }: AttackReport,
  kept: Readonly<Record<string, readonly string[]>>,
): void {
  expect(failures.map((failure) => failure.split('\n')[0])).toEqual([]);
  const log = server.logged();
  expect(log.split('\n').filter((line) => /does not declare|KIT_INTERNAL/.test(line))).toEqual([]);
  const leaks = Object.entries(kept).map(([name, rows]) => [name, leakIn(rows.join('\n'))] as const);
  expect([['log', leakIn(log)], ...leaks].filter(([, leak]) => leak !== null)).toEqual([]);
  expect(log).toContain('"route":"/run/:topology"');
  for (const name of ['events', 'jobs', 'decisions']) expect(kept[name]?.length, name).toBeGreaterThan(0);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '422']));
}

it(
  'whatever is sent to a server: no 500, no undeclared 503, every answer as OpenAPI describes it, and no planted secret anywhere',
  async () => {
    const server = await openFuzzServer();
    const report = await attack(server, COUNT);
    await server.running.stop();
    show('SQLite', report);
    const { tables, serving } = dumpStore(join(server.workspace, '.kit'));
    assertHeld(server, report, { ...tables, ...serving });
    for (const rows of [serving?.serve_access, serving?.conversation_turns]) expect(rows?.length).toBeGreaterThan(0);
  },
  timeoutOf(COUNT),
);

it(
  'the same holds over PostgreSQL, which keeps no NUL and no half of a character in a text',
  async () => {
    const database = await createDatabase();
    const server = await openFuzzServer({ KIT_STORE_URL: database.url });
    const report = await attack(server, COUNT_POSTGRES);
    await server.running.stop();
    show('PostgreSQL', report);
    assertHeld(server, report, { ...(await dumpPostgres(database)) });
  },
  timeoutOf(COUNT_POSTGRES),
);
