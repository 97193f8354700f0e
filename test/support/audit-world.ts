import type { FaultPoints } from '../../src/domain/faults.js';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Log } from '../../src/domain/ports/system.js';
import { Copier, type OpenAuditCopy } from '../../src/store/audit/copier.js';
import { type Pacing, realPacing } from '../../src/store/pacing.js';
import { AuditDatabase } from '../../src/store/postgres/audit/audit-database.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createDatabase, type TestDatabase } from './components/postgres.js';
import { type CutProxy, openCutProxy } from './cut-proxy.js';
import { openPostgresWorld, placeOf } from './postgres-world.js';
import { createIds, eventOf, newJob, startedEvent } from './store-samples.js';
import { createManualClock, openSqliteWorld, SILENT, type StoreWorld } from './store-world.js';

/** Runs in one database, their log in another that is reached by a line which a test can cut. */
export interface AuditWorld {
  /** A process on the store of the runs, which copies. Its lines of log are in `lines`. */
  open(over?: {
    readonly faults?: FaultPoints;
    readonly url?: string;
    /** Between two rounds of the copier. */
    readonly pacing?: Pacing;
  }): Promise<Stores>;
  readonly lines: readonly string[];
  readonly line: CutProxy;
  readonly audit: TestDatabase;
  /** The log of the runs, and what lies in the other database, row by row. */
  source(): Promise<readonly Row[]>;
  copied(): Promise<readonly Row[]>;
  /** One more job with an event, and an event of none. */
  say(stores: Stores): Promise<void>;
  dispose(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

const PLACE = 'storage.audit.url';

/** `ids`: of two worlds that meet each needs its own. */
export async function openAuditWorld(runtime: 'sqlite' | 'postgres', prefix = 0xfe): Promise<AuditWorld> {
  const audit = await createDatabase();
  const line = await openCutProxy(audit.url);
  const lines: string[] = [];
  const log: Log = { ...SILENT, warn: (text, data) => void lines.push(`${text} ${JSON.stringify(data ?? {})}`) };
  const base = await (runtime === 'sqlite'
    ? openSqliteWorld({ ids: createIds(prefix) })
    : openPostgresWorld({ ids: createIds(prefix) }));
  const ids = createIds(0x77);
  const opened: Stores[] = [];
  let count = 0;
  const copyTo =
    (url: string, faults: FaultPoints, pacing: Pacing): OpenAuditCopy =>
    (source) =>
      new Copier({
        source,
        target: new AuditDatabase({ place: { url, setting: PLACE }, ids: createIds(0x78), faults }),
        log,
        pacing,
      });
  return {
    lines,
    line,
    audit,
    open: async ({ faults = NO_FAULTS, url = line.url, pacing = realPacing } = {}) => {
      const stores = await openAnother(base, {
        log: SILENT,
        audit: copyTo(url, faults, pacing),
        ids: createIds(0xb0 + count++),
      });
      opened.push(stores);
      const close = async (): Promise<void> => {
        opened.splice(opened.indexOf(stores), 1);
        await stores.close();
      };
      return { ...stores, close };
    },
    source: async () => {
      const rows: Row[] = [];
      for (let after = ''; ; ) {
        const page = await base.stores.events.read({ limit: 1000, after });
        rows.push(...page.events.map(({ cursor: _, ...event }) => event));
        if (!page.hasMore) return rows;
        after = page.nextCursor;
      }
    },
    copied: async () => {
      const found = await audit.query<{ there: boolean }>("SELECT to_regclass('kit.events') IS NOT NULL AS there");
      if (found[0]?.there !== true) return [];
      const rows = await audit.query<{ payload: string; labels: string } & Row>(
        `SELECT event_id AS "eventId", type, timestamp, topology_id AS "topologyId", agent_id AS "agentId", skill_id AS "skillId", step_key AS "stepKey",
         payload, job_id AS "jobId", seq, pos, labels, correlation_id AS "correlationId", prev_hash AS "prevHash", hash FROM kit.events ORDER BY pos`,
      );
      return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload), labels: JSON.parse(row.labels) }));
    },
    say: async (stores) => {
      await stores.jobs.insert(newJob(ids.jobId(), { labels: { team: 'a\u0000b' } }), 'pending', [
        startedEvent(ids.uuid()),
      ]);
      await stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
    },
    dispose: async () => {
      line.set('whole');
      for (const stores of opened.splice(0)) await stores.close();
      await base.dispose();
      await line.close();
      await audit.drop();
    },
  };
}

async function openAnother(
  base: StoreWorld & { readonly stateDir?: string; readonly database?: TestDatabase },
  with_: { readonly log: Log; readonly audit: OpenAuditCopy; readonly ids: ReturnType<typeof createIds> },
): Promise<Stores> {
  if (base.database !== undefined)
    return openPostgresStores({
      place: placeOf(base.database.url),
      poolSize: 2,
      maxOverflow: 2,
      faults: NO_FAULTS,
      ...with_,
    });
  return openSqliteStores({
    stateDir: base.stateDir ?? '',
    clock: createManualClock(),
    faults: NO_FAULTS,
    processStartOf: () => null,
    ...with_,
  });
}
