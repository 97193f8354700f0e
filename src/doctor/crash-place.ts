import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../app/doctor/crash/compare-runs.js';
import type { CrashCase, CrashPlace } from '../app/doctor/crash/enumerate-crashes.js';
import type { StoragePlace } from '../app/storage/resolve-storage.js';
import type { Stores } from '../domain/ports/stores.js';
import type { CrashPoint } from '../view/doctor-report.js';
import { CRASH_JOB, crashPaths } from './crash-plan.js';
import { type CrashProcesses, createCrashProcesses } from './crash-processes.js';
import { writeCrashWorkspace } from './crash-workspace.js';

/** Events of the built-in run; it has fewer. */
const PAGE = 1000;

/** What is durable of the built-in run in a store; null where there is none. */
async function crashRecordOf({ jobs, runs, events, reviews }: Stores): Promise<RunRecord | null> {
  const job = await jobs.get(CRASH_JOB);
  if (job === null) return null;
  const [steps, log, state] = [
    await runs.load(CRASH_JOB),
    await events.readRun(CRASH_JOB, 0, PAGE),
    await reviews.state(CRASH_JOB),
  ];
  const decisions = (state?.decisions ?? []).map(({ itemId, identity, outcome, sha256 }) =>
    [itemId, identity, outcome, sha256].join(' '),
  );
  return { status: job.status, reason: job.reason, output: job.output, steps, events: log, decisions };
}

/** One scratch store. */
export interface ScratchStore {
  readonly storage: StoragePlace;
  readonly schema: string;
  readonly stateDir: string;
}

/** Stores beside the one of the runs, which are thrown away. */
export interface ScratchStores {
  /** What the name of each of their schemas begins with. */
  readonly prefix: string;
  /** Opens one for `read`, null where there is none; throws what the store throws. */
  reading<T>(of: ScratchStore, read: (stores: Stores | null) => Promise<T>): Promise<T>;
  /** Removes the schemas whose name begins so. */
  dropSchemas(storage: PostgresStorage, prefix: string): Promise<void>;
}

type PostgresStorage = Extract<StoragePlace, { readonly backend: 'postgres' }>;

/** Where scratch stores are made. */
export interface CrashPlaceOptions {
  /** Where the workspace keeps its runs. */
  readonly storage: StoragePlace;
  /** State directory of the workspace: SQLite is tried on the same disk. */
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folder for temporary files. */
  readonly tempDir: string;
  readonly stores: ScratchStores;
  /** Path of the program that carries the run and dies. */
  readonly program: string;
  /** Ends every process that was started. */
  readonly signal: AbortSignal;
}

/** A place with what removes it. */
export interface OpenedCrashPlace extends CrashPlace {
  dispose(): Promise<void>;
}

/**
 * Makes a place for scratch stores of the kind that the workspace has. Nothing else is written, and
 * everything goes with `dispose`.
 */
export function openCrashPlace(options: CrashPlaceOptions): OpenedCrashPlace {
  const { storage, stores, env, program, signal } = options;
  const name = `${stores.prefix}${randomBytes(4).toString('hex')}`;
  const hadState = existsSync(options.stateDir);
  const base =
    storage.backend === 'sqlite' ? join(options.stateDir, name) : mkdtempSync(join(options.tempDir, 'kit-crash-'));
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const processes = createCrashProcesses({ storage, env, base, program, signal });
  let count = 0;
  return {
    store: storage.backend,
    open: async () => {
      count += 1;
      return openCase({
        storage,
        stores,
        processes,
        dir: join(base, String(count)), // of one width: none is the beginning of another
        schema: `${name}_${String(count).padStart(4, '0')}`,
      });
    },
    dispose: async () => {
      await processes.ended();
      rmSync(base, { recursive: true, force: true });
      if (!hadState) removeEmpty(options.stateDir);
      if (storage.backend === 'postgres') await stores.dropSchemas(storage, name);
    },
  };
}

/** A state directory that was not there before; a run that began meanwhile keeps it. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Something lies in it, or it was never made.
  }
}

interface CaseParts extends Pick<CrashPlaceOptions, 'storage' | 'stores'> {
  readonly processes: CrashProcesses;
  readonly dir: string;
  readonly schema: string;
}

function openCase({ storage, stores, processes, dir, schema }: CaseParts): CrashCase {
  const paths = crashPaths(dir);
  writeCrashWorkspace(paths.workspace);
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  return {
    run: (point) => processes.run({ dir, schema, dieAt: point }),
    hits: async () =>
      linesOf(paths.hits).map((line): CrashPoint => {
        const [point = '', nth] = line.split(' ');
        return { name: point, nth: Number(nth) };
      }),
    shown: async () =>
      linesOf(paths.shown).map((line) => {
        const [eventId = '', hash = ''] = line.split(' ');
        return { eventId, hash };
      }),
    record: () =>
      stores.reading({ storage, schema, stateDir: join(paths.workspace, '.kit') }, async (found) =>
        found === null ? null : crashRecordOf(found),
      ),
    dispose: async () => {
      rmSync(dir, { recursive: true, force: true });
      if (storage.backend === 'postgres') await stores.dropSchemas(storage, schema);
    },
  };
}

/** Whole lines: the last one may have been cut off with its process. */
const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
