import type { Stores } from '../../domain/ports/stores.js';
import { lazily } from '../../lib/lazily.js';
import { createCursorCodec } from '../cursor.js';
import { lazyPrompts } from '../lazy-prompts.js';
import { lazySealed } from '../lazy-sealed.js';
import { lazyServing } from '../lazy-serving.js';
import { type Pacing, realPacing } from '../pacing.js';
import { POSTGRES_DIALECT } from '../program.js';
import { LOG_END } from '../sql/events.js';
import type { StoreMeta } from '../store-meta.js';
import type { StoreOptions } from '../store-options.js';
import { StoredEventLog } from '../stored-event-log.js';
import type { WriteQueueDeps } from './attempt-group.js';
import { postgresLogSource } from './audit/postgres-log-source.js';
import { createBlobTable } from './blob-table.js';
import { ChangeWatch } from './change-watch.js';
import { type Connections, createConnections, onConnection } from './connections.js';
import type { PostgresDeps } from './deps.js';
import { EVENT_WORDS } from './event-words.js';
import { asGivenUp, BUSY_LIMIT_MS, isBusy, refusedAt, storeBusy } from './failures.js';
import { PostgresJobStore } from './job-store.js';
import { locationOf, type PostgresPlace } from './location.js';
import { isMigrated, migrate } from './migrate.js';
import { type Notice, Notices } from './notices.js';
import { postgresPrograms } from './programs.js';
import { createPostgresReviews } from './review-store.js';
import { createPostgresRunStore } from './run-store.js';
import { assertSchema, channelOf, SCHEMA } from './schema.js';
import { WatchedQueue } from './watched-queue.js';
import { Writer } from './writer.js';

export interface PostgresStoreOptions extends StoreOptions {
  readonly place: PostgresPlace;
  /**
   * Connections that stay open once made (KIT_STORE_POOL_SIZE), and how many more there may be
   * (KIT_STORE_MAX_OVERFLOW).
   */
  readonly poolSize: number;
  readonly maxOverflow: number;
  /** Default: `kit`, which holds the runs. */
  readonly schema?: string | undefined;
  /** Parts that a test replaces; each has the real one as its default. */
  readonly parts?: Partial<PostgresParts>;
}

export interface PostgresParts {
  readonly pacing: Pacing;
  readonly busyLimitMs: number;
}

/**
 * Opens (and if need be makes) the store in a schema of a PostgreSQL database. Any number of
 * processes and machines may have it open; the database's clock is the only one. Throws
 * KIT_STORE_UNAVAILABLE, within 5 s also where nothing answers, KIT_STORE_NEWER, KIT_STORE_BUSY.
 */
export async function openPostgresStores(options: PostgresStoreOptions): Promise<Stores> {
  const { place, poolSize, maxOverflow } = options;
  const location = locationOf(place);
  const schema = assertSchema(options.schema ?? SCHEMA);
  const connections = await createConnections({ place, poolSize, maxConnections: poolSize + maxOverflow, schema });
  const writer = new Writer(connections);
  try {
    const { faults, ids, log, showUpgrade } = options;
    const shown = { place: location, showUpgrade };
    const meta = await migrate({ sql: await writer.sql(), faults, ids, schema, log, shown });
    log.debug('store open', { location });
    return assemble(options, { location, schema, connections, writer, meta });
  } catch (error) {
    await writer.close();
    await connections.close();
    throw isBusy(error) ? storeBusy(error) : refusedAt(error, { location, setting: place.setting });
  }
}

interface Opened {
  readonly location: string;
  readonly schema: string;
  readonly connections: Connections;
  readonly writer: Writer;
  readonly meta: StoreMeta;
}

function assemble(options: PostgresStoreOptions, { location, schema, connections, writer, meta }: Opened): Stores {
  const pacing = options.parts?.pacing ?? realPacing;
  const read: PostgresDeps['read'] = async (work) => {
    try {
      return await connections.read(work);
    } catch (error) {
      throw asGivenUp(error);
    }
  };
  const logEnd = async (): Promise<number> => (await read((sql) => sql.get<{ pos: number }>(LOG_END)))?.pos ?? 0;
  const watching = { pacing, logEnd, onWait: () => notices.listen() };
  const [watch, workWatch] = [new ChangeWatch(watching), new ChangeWatch(watching)];
  const notify = (notice: Notice): void => {
    watch.notify();
    if (notice === 'work') workWatch.notify();
  };
  const notices = new Notices({ connections, writer, pacing, channel: channelOf(schema), onNotice: notify });
  const noticeOf = (isWork: boolean): Notice => (isWork ? 'work' : 'log');
  const behind = (isWork: boolean): string | null => notices.take(noticeOf(isWork));
  const onCommit: WriteQueueDeps['onCommit'] = ({ isWork, isTold }) => {
    notify(noticeOf(isWork));
    if (!isTold) notices.send(noticeOf(isWork));
    audit?.start();
  };
  const busyLimitMs = options.parts?.busyLimitMs ?? BUSY_LIMIT_MS;
  const telling = { behind, onCommit };
  const queue = new WatchedQueue({
    writer,
    logId: meta.logId,
    faults: options.faults,
    pacing,
    busyLimitMs,
    ...telling,
  });
  const blobs = createBlobTable({ queue, read, pacing });
  const audit = options.audit?.(postgresLogSource({ identity: meta, read, watch }));
  const deps: PostgresDeps = { queue, read, blobs, ids: options.ids };
  const programs = postgresPrograms(deps);
  const prompts = lazyPrompts(async () => (await import('./prompts.js')).createPostgresPrompts({ ...deps, pacing }));
  return {
    jobs: new PostgresJobStore(deps, workWatch),
    runs: createPostgresRunStore(deps),
    events: new StoredEventLog({
      programs,
      words: EVENT_WORDS,
      cursors: createCursorCodec(meta.logId, meta.cursorKey),
      watch,
      pacing,
    }),
    ...(audit === undefined ? {} : { audit }),
    blobs,
    backend: 'postgres',
    reviews: createPostgresReviews(deps),
    remoteWaits: lazily(async () => (await import('./remote-wait-store.js')).createPostgresRemoteWaits(deps)),
    serving: lazyServing(async () => (await import('./serving/create-serving.js')).createPostgresServing(deps)),
    memory: lazily(async () =>
      (await import('../memory/memory-store.js')).createMemoryStore(programs, POSTGRES_DIALECT),
    ),
    knowledge: lazily(async () =>
      (await import('../knowledge/knowledge-store.js')).createKnowledgeStore(programs, POSTGRES_DIALECT),
    ),
    prompts,
    sealed: lazySealed(
      async () => (await import('./sealed-rows.js')).createPostgresSealed(deps, meta.logId),
      () => true,
    ),
    retention: lazily(async () => (await import('./retention/dialect.js')).createPostgresRetention(deps)),
    artifacts: lazily(async () => {
      const [{ createArtifactStore }, { createPostgresArtifactRecords }] = await Promise.all([
        import('../artifact-store.js'),
        import('./artifact-records.js'),
      ]);
      return createArtifactStore({
        records: createPostgresArtifactRecords(deps),
        blobs,
        openBytes: options.artifactBytes,
      });
    }),
    writing: queue.writing,
    location,
    async close() {
      await prompts.close();
      await queue.close();
      await audit?.close();
      await notices.close();
      await writer.close();
      await connections.close();
    },
  };
}

/** Whether a kit store lies in the database; writes nothing. Throws KIT_STORE_UNAVAILABLE. */
export async function hasPostgresStore(place: PostgresPlace, schema: string = SCHEMA): Promise<boolean> {
  return onConnection({ place, schema: assertSchema(schema) }, ({ sql }) =>
    isMigrated(sql).catch((error: unknown) => {
      throw refusedAt(error, { location: locationOf(place), setting: place.setting });
    }),
  );
}
