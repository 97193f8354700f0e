import type { PostgresFacts } from '../../domain/ports/store-facts.js';
import { type OwnConnection, onConnection } from './connections.js';
import { NO_RIGHT, sqlState } from './failures.js';
import type { PostgresPlace } from './location.js';
import { versionOf } from './migrate.js';
import { SCRATCH_PREFIX } from './schema.js';

interface Facts {
  readonly version: string;
  readonly can_create: boolean;
  readonly read_only: boolean;
  readonly max_connections: number;
  readonly reserved: number;
  readonly used: number;
}

const FACTS = `
SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
  has_database_privilege(current_database(), 'CREATE') AS can_create,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only,
  current_setting('max_connections')::int AS max_connections,
  current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true), '0')::int AS reserved,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`;
/**
 * The store's own clock where it is there: a test lets it run on, and only that one counts leases.
 */
const STORE_CLOCK =
  "SELECT 1 AS found FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = current_schema() AND p.proname = 'kit_now'";
const SERVER_NOW = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;
const STORE_NOW = 'SELECT kit_now() AS now';
/** Makes the server write and sync its log, and changes no row. */
const DURABLE = "BEGIN; SELECT pg_logical_emit_message(true, 'kit_doctor', ''); COMMIT";
const COMMITS = 5;

/**
 * Looks at a server on one connection; writes no row. Throws KIT_STORE_UNAVAILABLE, within 5 s also
 * where nothing answers.
 */
export const probePostgres = (place: PostgresPlace): Promise<PostgresFacts> => onConnection({ place }, probeOn);

async function probeOn({ sql }: OwnConnection): Promise<PostgresFacts> {
  const facts = await sql.get<Facts>(FACTS);
  if (facts === undefined) throw new Error('a statement without a condition gave no row');
  const version = await versionOf(sql);
  const clock = (await sql.get(STORE_CLOCK)) === undefined ? SERVER_NOW : STORE_NOW;
  await sql.get(clock); // prepared: the next one measures the way alone
  const askedAtMs = Date.now();
  const row = await sql.get<{ now: string }>(clock);
  const askedMs = Date.now() - askedAtMs;
  const scratch = await sql.all<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, @prefix) ORDER BY 1',
    {
      prefix: SCRATCH_PREFIX,
    },
  );
  return {
    serverVersion: facts.version,
    schemaVersion: version === 0 ? null : version,
    canCreate: facts.can_create,
    isReadOnly: facts.read_only,
    maxConnections: facts.max_connections,
    reservedConnections: facts.reserved,
    usedConnections: facts.used,
    skewMs: Date.parse(row?.now ?? '') - (askedAtMs + askedMs / 2),
    askedMs,
    commitMs: facts.read_only ? null : await commitMs(() => sql.exec(DURABLE)),
    scratch: scratch.map(({ name }) => name),
  };
}

/**
 * Null where it was taken from this user to write a message into the server's log: kit itself never
 * does.
 */
async function commitMs(commit: () => Promise<unknown>): Promise<number | null> {
  const took: number[] = [];
  try {
    for (let nth = 0; nth < COMMITS; nth++) {
      const fromMs = performance.now();
      await commit();
      took.push(performance.now() - fromMs);
    }
  } catch (error) {
    if (sqlState(error) === NO_RIGHT) return null;
    throw error;
  }
  return took.sort((a, b) => a - b)[Math.floor(COMMITS / 2)] ?? null;
}
