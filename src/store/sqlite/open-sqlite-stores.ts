import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KitError } from '../../domain/errors.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import { lazily } from '../../lib/lazily.js';
import { createBlobFiles, syncDirectory } from '../blob-files.js';
import { createCursorCodec } from '../cursor.js';
import { lazyPrompts } from '../lazy-prompts.js';
import { lazySealed } from '../lazy-sealed.js';
import { lazyServing } from '../lazy-serving.js';
import { type Pacing, realPacing } from '../pacing.js';
import { SQLITE_DIALECT } from '../program.js';
import { type FileSystemTypeOf, prepareStateDir } from '../state-dir.js';
import type { StoreMeta } from '../store-meta.js';
import type { StoreOptions } from '../store-options.js';
import { StoredEventLog } from '../stored-event-log.js';
import { retryBusy } from './busy.js';
import { ChangeWatch } from './change-watch.js';
import { type Connection, openConnection, sameFile } from './connection.js';
import type { SqliteDeps } from './deps.js';
import { EVENT_WORDS } from './event-words.js';
import { SqliteJobStore } from './job-store.js';
import { migrate } from './migrate.js';
import { sqlitePrograms } from './programs.js';
import { createSqliteReviews } from './review-store.js';
import { createSqliteRunStore } from './run-store.js';
import type { SqlRunner } from './sql-runner.js';
import { sqliteLogSource } from './sqlite-log-source.js';
import { createPrivate } from './unopened.js';
import { asStoreTrouble } from './unwritable.js';
import { TRUNCATE_ABOVE_BYTES, WalKeeper } from './wal-keeper.js';
import { WatchedQueue } from './watched-queue.js';

export interface SqliteStoreOptions extends StoreOptions {
  /** `<workspace>/.kit`, or KIT_STATE_DIR. Made if it does not exist. */
  readonly stateDir: string;
  readonly clock: Clock;
  /**
   * Start of a living process as `WorkerHost.processStart` has it; null when there is none with
   * this pid.
   */
  readonly processStartOf: (pid: number) => string | null;
  /** Opens one that takes no writes to be read (`StoreWriting.refused`). Default: false. */
  readonly mayReadOnly?: boolean;
  /** Parts that a test replaces; each has the real one as its default. */
  readonly parts?: Partial<SqliteParts>;
}

export interface SqliteParts {
  readonly pacing: Pacing;
  readonly fileSystemTypeOf: FileSystemTypeOf;
  readonly truncateAboveBytes: number;
}

/**
 * Opens (and if need be makes) the store of a workspace: `<stateDir>/store.sqlite` and
 * `<stateDir>/blobs`. Several processes may have it open. Throws KIT_STORE_UNAVAILABLE,
 * KIT_STORE_NEWER, KIT_STORE_BUSY, KIT_STORE_FULL, KIT_STORE_READ_ONLY.
 */
export async function openSqliteStores(options: SqliteStoreOptions): Promise<Stores> {
  const path = join(options.stateDir, 'store.sqlite');
  const pacing = options.parts?.pacing ?? realPacing;
  try {
    return await openToWrite(options, { path, pacing });
  } catch (error) {
    const { mayBeRead, openToRead } = await import('./open-to-read.js');
    if (options.mayReadOnly !== true || !existsSync(path) || !mayBeRead(error)) throw error;
    const { reader, meta } = await openToRead({ path, pacing, refused: error });
    options.log.warn('the store takes no writes, and is only read', { error: error.message });
    const writer: Connection = { sql: reader.sql, close: () => undefined };
    return assemble(options, { path, pacing, writer, reader, meta, refused: error });
  }
}

async function openToWrite(
  options: SqliteStoreOptions,
  { path, pacing }: Pick<Opened, 'path' | 'pacing'>,
): Promise<Stores> {
  const { faults, ids, showUpgrade } = options;
  await prepareFiles(options, path);
  const writer = await openConnection({ path, mode: 'write', pacing });
  try {
    const meta = await migrate({ sql: writer.sql, faults, ids, pacing, place: path, showUpgrade });
    const reader = await openConnection({ path, mode: 'read', pacing });
    options.log.debug('store open', { path });
    return assemble(options, { path, pacing, writer, reader, meta });
  } catch (error) {
    writer.close();
    throw asStoreTrouble(error);
  }
}

/**
 * The directory and its files are private before a byte is in them; SQLite gives its log the mode
 * of the database.
 */
async function prepareFiles(options: SqliteStoreOptions, path: string): Promise<void> {
  const { stateDir } = options;
  await prepareStateDir(stateDir, options.parts?.fileSystemTypeOf);
  await mkdir(join(stateDir, 'blobs'), { recursive: true, mode: 0o700 });
  await createPrivate(path);
  await syncDirectory(stateDir);
  await syncDirectory(dirname(stateDir));
}

const refuser = (error: KitError) => (): never => {
  throw error;
};

function readOf<T>(sql: SqlRunner, work: (sql: SqlRunner) => T): T {
  try {
    return work(sql);
  } catch (error) {
    throw asStoreTrouble(error);
  }
}

interface Opened {
  readonly path: string;
  readonly pacing: Pacing;
  readonly writer: Connection;
  readonly reader: Connection;
  readonly meta: StoreMeta;
  /** See `StoreWriting.refused`. */
  readonly refused?: KitError;
}

function assemble(options: SqliteStoreOptions, opened: Opened): Stores {
  const { faults, parts } = options;
  const { path, pacing, writer, reader, meta, refused } = opened;
  const wal = new WalKeeper({
    sql: writer.sql,
    walPath: `${path}-wal`,
    truncateAboveBytes: parts?.truncateAboveBytes ?? TRUNCATE_ABOVE_BYTES,
  });
  const watch = new ChangeWatch({ version: () => Number(reader.sql.pragma('data_version')), pacing });
  const onCommit = (): void => {
    wal.onCommit();
    watch.notify();
    audit?.start();
  };
  const queue = new WatchedQueue({
    ...{ sql: writer.sql, faults, pacing, onCommit },
    assertThere: refused === undefined ? sameFile(path) : refuser(refused),
    directory: options.stateDir,
  });
  const blobs = createBlobFiles(join(options.stateDir, 'blobs'), { faults, nowMs: () => options.clock.now() });
  const deps: SqliteDeps = {
    queue,
    read: (work) => retryBusy(pacing, () => readOf(reader.sql, work)),
    blobs,
    clock: options.clock,
    pacing,
    ids: options.ids,
    processStartOf: options.processStartOf,
  };
  const programs = sqlitePrograms(deps);
  const prompts = lazyPrompts(async () => (await import('./prompts.js')).createSqlitePrompts({ ...deps, pacing }));
  const sealedPath = join(options.stateDir, 'state', 'oauth.db');
  const sealed = lazySealed(
    async () => (await import('./sealed/open-sealed-file.js')).openSealedFile({ ...options, path: sealedPath, pacing }),
    () => existsSync(sealedPath),
  );
  const audit = options.audit?.(sqliteLogSource({ identity: meta, deps, watch }));
  return {
    jobs: new SqliteJobStore(deps, watch),
    runs: createSqliteRunStore(deps, blobs),
    events: new StoredEventLog({
      programs,
      words: EVENT_WORDS,
      cursors: createCursorCodec(meta.logId, meta.cursorKey),
      watch,
      pacing,
    }),
    ...(audit === undefined ? {} : { audit }),
    blobs,
    backend: 'sqlite',
    reviews: createSqliteReviews(deps),
    remoteWaits: lazily(async () => (await import('./remote-wait-store.js')).createSqliteRemoteWaits(deps)),
    serving: lazyServing(async () => (await import('./serving/create-serving.js')).createSqliteServing(deps)),
    memory: lazily(async () => (await import('../memory/memory-store.js')).createMemoryStore(programs, SQLITE_DIALECT)),
    knowledge: lazily(async () =>
      (await import('../knowledge/knowledge-store.js')).createKnowledgeStore(programs, SQLITE_DIALECT),
    ),
    prompts,
    sealed,
    retention: lazily(async () => (await import('./retention/dialect.js')).createSqliteRetention(deps, blobs)),
    artifacts: lazily(async () => {
      const [{ createArtifactStore }, { createSqliteArtifactRecords }] = await Promise.all([
        import('../artifact-store.js'),
        import('./artifact-records.js'),
      ]);
      return createArtifactStore({
        records: createSqliteArtifactRecords(deps),
        blobs,
        openBytes: options.artifactBytes,
      });
    }),
    writing: refused === undefined ? queue.writing : { ...queue.writing, refused },
    location: path,
    async close() {
      await prompts.close();
      await sealed.close();
      await queue.close();
      await audit?.close();
      wal.close();
      // The writer last: whoever closes last writes the log back, and only a writer can.
      reader.close();
      writer.close();
    },
  };
}
