import type { PostgresFacts, SqliteFacts } from '../../../domain/ports/store-facts.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { fail, ok, RESTORE, skipped, warn } from './check.js';

/** What this build knows and this process would do. */
export interface StoreExpectation {
  readonly schemaVersion: number;
  /** Connections that one process of kit may open: KIT_STORE_POOL_SIZE + KIT_STORE_MAX_OVERFLOW. */
  readonly connections: number;
  readonly leaseMs: number;
}

/** Each step waits for a commit. */
const SLOW_COMMIT_MS = 50;
/** A clock that is kept in time is off by less. */
const SKEW_WARN_MS = 2_000;

const UPGRADE = 'npm install -g @kit-run/kit@latest';

/** @param id `store.runtime` */
export function checkPostgres(id: string, facts: PostgresFacts, expected: StoreExpectation): readonly DoctorCheck[] {
  return [storeOf(id, facts, expected), connectionsOf(id, facts, expected), ...scratchOf(id, facts)];
}

function storeOf(id: string, facts: PostgresFacts, expected: StoreExpectation): DoctorCheck {
  const { schemaVersion, serverVersion, commitMs } = facts;
  const server = `PostgreSQL ${serverVersion}`;
  if (schemaVersion !== null && schemaVersion > expected.schemaVersion)
    return fail(
      id,
      `${server} holds schema version ${schemaVersion}, and this kit knows up to ${expected.schemaVersion}`,
      UPGRADE,
    );
  if (facts.isReadOnly)
    return fail(
      id,
      `${server} only reads: it is a standby, or the session is read-only`,
      'Name the primary server in the URL.',
    );
  if (schemaVersion === null && !facts.canCreate)
    return fail(
      id,
      `${server} holds no store, and this user may not make one`,
      'GRANT CREATE ON DATABASE <database> TO <user>;',
    );
  const schema = schemaOf(schemaVersion, expected.schemaVersion);
  if (commitMs === null) return ok(id, `${server}, ${schema}`);
  const found = `${server}, ${schema}, a commit takes ${commitMs.toFixed(1)} ms`;
  return commitMs > SLOW_COMMIT_MS
    ? warn(
        id,
        `${found}, and each step waits for one`,
        'Bring kit and the server closer together, or give the server a faster disk.',
      )
    : ok(id, found);
}

function schemaOf(found: number | null, known: number): string {
  if (found === null) return 'no store yet: the first run makes it';
  return found === known ? `schema version ${found}` : `schema version ${found}: the next start brings it to ${known}`;
}

/** Every process of kit may open as many connections as its pool and overflow say. */
function connectionsOf(id: string, facts: PostgresFacts, { connections }: StoreExpectation): DoctorCheck {
  const own = `${id}.connections`;
  const usable = facts.maxConnections - facts.reservedConnections;
  const found = `a process of kit may open ${connections} connections; the server allows ${usable}, ${facts.usedConnections} are open`;
  const fix = `export KIT_STORE_POOL_SIZE=${Math.max(1, Math.min(5, usable - 3))} KIT_STORE_MAX_OVERFLOW=2   # or raise max_connections of the server`;
  if (connections > usable) return fail(own, found, fix);
  if (connections > usable - facts.usedConnections)
    return warn(own, `${found}: another process may not get all of its own`, fix);
  return ok(own, found);
}

const scratchOf = (id: string, { scratch }: PostgresFacts): readonly DoctorCheck[] =>
  scratch.length === 0
    ? []
    : [
        warn(
          `${id}.scratch`,
          `${scratch.length} scratch ${scratch.length === 1 ? 'schema' : 'schemas'} of kit doctor --crash ${scratch.length === 1 ? 'is' : 'are'} left, or in use by one that runs now`,
          scratch.map((name) => `DROP SCHEMA ${name} CASCADE;`).join('\n'),
        ),
      ];

/** @param id `store.runtime` */
export function checkSqlite(
  id: string,
  { path, schemaVersion, bytes, damage, isRead }: SqliteFacts,
  expected: Pick<StoreExpectation, 'schemaVersion'>,
): DoctorCheck {
  if (schemaVersion !== null && schemaVersion > expected.schemaVersion)
    return fail(
      id,
      `${path} has schema version ${schemaVersion}, and this kit knows up to ${expected.schemaVersion}`,
      UPGRADE,
    );
  if (damage !== null) return fail(id, `${path} is damaged: ${damage.split('\n')[0]}`, RESTORE);
  if (schemaVersion === null) return ok(id, `SQLite, ${schemaOf(null, expected.schemaVersion)}`);
  const found = `SQLite, ${path}, ${Math.ceil(bytes / 1024)} KiB, ${schemaOf(schemaVersion, expected.schemaVersion)}`;
  return ok(id, isRead ? found : `${found}; too large to be read through here: kit doctor --full`);
}

/**
 * Leases are counted by the store's clock, deadlines are shown by this one's. Null: the store uses
 * this machine's.
 */
export function checkClock(
  facts: Pick<PostgresFacts, 'skewMs' | 'askedMs'> | null,
  { leaseMs }: Pick<StoreExpectation, 'leaseMs'>,
): DoctorCheck {
  const id = 'clock';
  if (facts === null) return skipped(id, "the store uses this machine's clock");
  const off = Math.max(0, Math.abs(facts.skewMs) - facts.askedMs / 2);
  const found = `this machine is ${(Math.abs(facts.skewMs) / 1000).toFixed(1)} s ${facts.skewMs > 0 ? 'behind' : 'ahead of'} the store's clock`;
  const fix = 'sudo timedatectl set-ntp true   # on this machine and on the server of the database';
  if (off > leaseMs / 3) return fail(id, `${found}, more than a third of a lease (${leaseMs / 1000} s)`, fix);
  if (off > SKEW_WARN_MS) return warn(id, found, fix);
  return ok(id, `this machine and the store's clock agree within ${((off + facts.askedMs / 2) / 1000).toFixed(1)} s`);
}
