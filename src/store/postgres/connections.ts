import type { Client, ClientConfig, Pool } from 'pg';
import { ERROR_REGISTRY } from '../../domain/error-registry.js';
import { KitError, messageOf } from '../../domain/errors.js';
import { createSemaphore } from '../../lib/semaphore.js';
import { connectMsAt } from './connect-time.js';
import { loadDriver } from './driver.js';
import { isLost, sqlState, unavailable } from './failures.js';
import { inOnePiece } from './in-one-piece.js';
import { locationOf, type PostgresPlace } from './location.js';
import { lockClassOf, SCHEMA } from './schema.js';
import { asServerTrouble } from './server-trouble.js';
import { createSqlRunner, type SqlRunner, type StatementNames } from './sql-runner.js';

/**
 * Below the limit after which the queue gives up, so that a lock that does not end is seen more
 * than once.
 */
const LOCK_MS = 2_000;
const STATEMENT_MS = 30_000;
/** A process that stands still inside a transaction holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/**
 * The server has answered or the network is broken; above STATEMENT_MS, so that the server speaks
 * first.
 */
const ANSWER_MS = STATEMENT_MS + 5_000;
const CLOSE_MS = 2_000;
const INT8 = 20;

/**
 * Sent once on each connection, not as start parameters, which poolers refuse. `synchronous_commit
 * = off` would lose acknowledged commits in a crash of the server; every stricter value is the
 * operator's. `jit` is for queries of seconds: before 18 a plan that goes against a setting of
 * BY_KEY counts as dear, and was compiled anew with each commit.
 */
const sessionOf = (schema: string): string => `
SELECT set_config('search_path', '${schema}', false), set_config('kit.locks', '${lockClassOf(schema)}', false), set_config('jit', 'off', false),
  set_config('lock_timeout', '${LOCK_MS}', false), set_config('statement_timeout', '${STATEMENT_MS}', false),
  set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false),
  set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/**
 * What the writer sends is a handful of statements by key, sent again and again: planned once, and
 * never as a scan, nor as a sort of all that waits, which a table that was empty when it was last
 * looked at would suggest.
 */
export const BY_KEY = `
SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
  set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), set_config('enable_sort', 'off', false)`;

/** A connection that belongs to one user of it. */
export interface OwnConnection {
  readonly sql: SqlRunner;
  readonly client: Client;
  /** Does not throw: what is broken cannot be closed in good order. */
  close(): Promise<void>;
}

export interface Connections {
  /** Opens a connection outside the pool. Throws KIT_STORE_UNAVAILABLE. */
  open(): Promise<OwnConnection>;
  /**
   * Runs reads on a pooled connection, again on a new one when the first was lost: a read can be
   * repeated.
   */
  read<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly place: PostgresPlace;
  /**
   * Connections that stay open once made, and how many may be open in all; the pool leaves two of
   * them to writer and listener.
   */
  readonly poolSize: number;
  readonly maxConnections: number;
  /** Default: `kit`. */
  readonly schema?: string | undefined;
  /** Milliseconds since the process began. Default: those of this process. */
  readonly uptimeMs?: () => number;
}

const OWN_CONNECTIONS = 2;

/** A connection for as long as `work` takes, in the schema `kit` where none is named. */
export async function onConnection<T>(
  options: Pick<ConnectionOptions, 'place' | 'schema'>,
  work: (connection: OwnConnection) => Promise<T>,
): Promise<T> {
  const connections = await createConnections({ ...options, poolSize: 1, maxConnections: 1 });
  try {
    const connection = await connections.open();
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await connections.close();
  }
}

export async function createConnections(options: ConnectionOptions): Promise<Connections> {
  const { place } = options;
  const location = locationOf(place);
  const session = sessionOf(options.schema ?? SCHEMA);
  const pg = await loadDriver(place.setting);
  const uptimeMs = options.uptimeMs ?? (() => process.uptime() * 1000);
  const config: ClientConfig = {
    connectionString: place.url,
    application_name: 'kit',
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: {
      // Positions and counts are below 2^53.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
  const names: StatementNames = new Map();
  const max = Math.max(1, options.maxConnections - OWN_CONNECTIONS);
  const pool: Pool = new pg.Pool({
    ...config,
    // It lives as long as the process, which is asked for its first connection once the start is
    // over.
    connectionTimeoutMillis: connectMsAt(Number.POSITIVE_INFINITY),
    max,
    min: Math.min(max, options.poolSize),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: async (client) => {
      // While a reader has it the pool does not listen; the reader's query tells it.
      client.on('error', () => undefined);
      await client.query(session);
    },
  });
  // In front of the pool, whose own waiting ends with the time for connecting: a busy process is no
  // server that does not answer.
  const semaphore = createSemaphore(max);
  // An idle connection that breaks is taken out of the pool; the next reader gets another one.
  pool.on('error', () => undefined);
  return {
    open: async () => {
      // What is sent without waiting for an answer goes out at once: the statements of a commit are
      // few round trips.
      const client = new pg.Client({ ...config, connectionTimeoutMillis: connectMsAt(uptimeMs()), pipeline: true });
      // Told by the query that meets it.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await Promise.all([client.query(session), client.query(BY_KEY)]);
      } catch (error) {
        void client.end().catch(() => undefined);
        throw notReachable(error, { place, location });
      }
      return { client, sql: createSqlRunner(inOnePiece(client), names), close: () => closed(client) };
    },
    read: async (work) => {
      const once = () => semaphore(() => readOnce(pool, { names, work }));
      try {
        return await once();
      } catch (error) {
        if (!isLost(error)) throw error;
      }
      try {
        return await once();
      } catch (error) {
        throw isLost(error) ? notReachable(error, { place, location }) : error;
      }
    },
    close: () => pool.end(),
  };
}

/** A server that is gone says no good-bye, and nobody waits long for it. */
async function closed(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([client.end().catch(() => undefined), late]);
  clearTimeout(timer);
}

async function readOnce<T>(
  pool: Pool,
  of: { readonly names: StatementNames; readonly work: (sql: SqlRunner) => Promise<T> },
): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const value = await of.work(createSqlRunner(client, of.names));
    isBroken = false;
    return value;
  } catch (error) {
    isBroken = isLost(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** invalid_authorization, invalid_password */
const REFUSED = new Set(['28000', '28P01']);
const NO_DATABASE = '3D000';
/** The server's answer to a client that wants TLS, in the driver's words. */
const NO_TLS = /does not support SSL/i;

function notReachable(
  error: unknown,
  { place, location }: { readonly place: PostgresPlace; readonly location: string },
): unknown {
  const state = sqlState(error);
  const { setting } = place;
  const trouble = asServerTrouble(error, state);
  if (trouble !== null)
    return new KitError(trouble.code, `${location}: ${trouble.message}`, {
      hint: `${trouble.hint ?? ERROR_REGISTRY[trouble.code].hint} The setting is ${setting}.`,
      cause: trouble.cause,
      data: trouble.data,
    });
  if (REFUSED.has(state ?? ''))
    return unavailable(
      `${location} refuses the user or the password`,
      error,
      `Correct user and password in ${setting}.`,
    );
  if (state === NO_DATABASE)
    return unavailable(
      `${location}: there is no such database`,
      error,
      `Create the database, or correct its name in ${setting}.`,
    );
  if (NO_TLS.test(messageOf(error)))
    return unavailable(
      `${location} offers no TLS, which ${setting} demands`,
      error,
      `Turn TLS on at the server, or take sslmode out of ${setting}.`,
    );
  return unavailable(
    `${location} cannot be reached: ${messageOf(error)}`,
    error,
    `Start the server, or correct ${setting}.`,
  );
}
