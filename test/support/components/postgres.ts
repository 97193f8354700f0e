import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of its own on the PostgreSQL of this test run, empty unless it is a copy. */
export interface TestDatabase {
  readonly url: string;
  /** One statement on a connection of its own, which kit knows nothing of. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Lets the store's clock run on by this much, for every connection at once. */
  elapse(ms: number): Promise<void>;
  /** Holds the store's clock still, at this time. */
  holdClock(atMs: number): Promise<void>;
  /** Resolves when no kit process is connected any more. */
  deserted(): Promise<void>;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/** A server process that waits for nothing ends at once when its client is gone. */
const DESERTED_MS = 15_000;

/** URL of the server; starts it when nobody has yet. */
export async function postgresUrl(): Promise<string> {
  const socket = connect(inject('postgresPort'), '127.0.0.1');
  let url = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    url += text;
  });
  await once(socket, 'close');
  if (url === '') throw new Error('there is no PostgreSQL in this test run');
  return url;
}

/** The server's own database, on one connection that ends with this process. */
let admin: Promise<pg.Client> | undefined;

/** One statement, or several that need one connection, on the server's own database. */
export async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  admin ??= postgresUrl().then(async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // Not in the types: the connection alone keeps no process alive.
    (client as pg.Client & { unref(): void }).unref();
    return client;
  });
  return work(await admin);
}

/** A database to copy, to which nobody is connected. */
export interface DatabaseTemplate {
  readonly name: string;
  /** Where its clock stands still; null = it runs. */
  readonly heldAtMs: number | null;
}

const EMPTY: DatabaseTemplate = { name: 'template0', heldAtMs: null };

export async function createDatabase(template = EMPTY): Promise<TestDatabase> {
  const server = await postgresUrl();
  const name = `kit_test_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY file_copy`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const clock = { elapsedMs: 0, heldAtMs: template.heldAtMs };
  // The store asks the database for the time through this function alone.
  const setClock = async (): Promise<void> => {
    const { elapsedMs, heldAtMs } = clock;
    const at =
      heldAtMs === null
        ? `clock_timestamp() + interval '${elapsedMs} milliseconds'`
        : `timestamptz '${new Date(heldAtMs + elapsedMs).toISOString()}'`;
    const body = `SELECT to_char((${at}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    await withClient(url.href, async (client) => {
      // A process that was killed before its first migration has left no store: the next one makes
      // it.
      const { rows } = await client.query("SELECT 1 FROM pg_proc WHERE proname = 'kit_now'");
      if (rows.length > 0)
        await client.query(
          `CREATE OR REPLACE FUNCTION kit.kit_now() RETURNS TEXT LANGUAGE sql VOLATILE AS $$ ${body} $$`,
        );
    });
  };
  return {
    url: url.href,
    query: (text, values = []) =>
      withClient(url.href, async (client) =>
        rowsOf(await (values.length === 0 ? client.query(text) : client.query(text, [...values]))),
      ),
    elapse: (ms) => {
      clock.elapsedMs += ms;
      return setClock();
    },
    holdClock: async (atMs) => {
      if (clock.heldAtMs === atMs && clock.elapsedMs === 0) return;
      clock.heldAtMs = atMs;
      await setClock();
    },
    deserted: () =>
      asAdmin(async (client) => {
        const untilMs = performance.now() + DESERTED_MS;
        for (;;) {
          const { rows } = await client.query(
            "SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND application_name = 'kit'",
            [name],
          );
          if (rows.length === 0) return;
          if (performance.now() > untilMs) throw new Error(`a dead process is still connected to ${name}`);
        }
      }),
    drop: () => asAdmin(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

/**
 * Of several statements pg returns a list of results, which its types do not say; the rows of the
 * last.
 */
function rowsOf<Row extends pg.QueryResultRow>(
  result: pg.QueryResult<Row> | readonly pg.QueryResult<Row>[],
): readonly Row[] {
  return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : (result as pg.QueryResult<Row>).rows;
}

const INT8 = 20;

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const getTypeParser = ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
