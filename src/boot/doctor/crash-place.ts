import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CrashCase, CrashPlace } from '../../app/doctor/crash/enumerate-crashes.js';
import type { StoragePlace } from '../../app/storage/resolve-storage.js';
import { SCRATCH_PREFIX } from '../../store/postgres/schema.js';
import type { CrashPoint } from '../../view/doctor-report.js';
import { tempDirOf } from '../state-dir.js';
import { crashPaths } from './crash-plan.js';
import { type CrashProcesses, createCrashProcesses } from './crash-processes.js';
import { readCrashRecord } from './crash-record.js';
import { writeCrashWorkspace } from './crash-workspace.js';

/** Where scratch stores are made. */
export interface CrashPlaceOptions {
  /** Where the workspace keeps its runs. */
  readonly storage: StoragePlace;
  /** State directory of the workspace: SQLite is tried on the same disk. */
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
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
  const { storage } = options;
  const name = `${SCRATCH_PREFIX}${randomBytes(4).toString('hex')}`;
  const hadState = existsSync(options.stateDir);
  const base =
    storage.backend === 'sqlite'
      ? join(options.stateDir, name)
      : mkdtempSync(join(tempDirOf(options.env), 'kit-crash-'));
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const processes = createCrashProcesses({ storage, env: options.env, base, signal: options.signal });
  let count = 0;
  return {
    store: storage.backend,
    open: async () => {
      count += 1;
      return openCase({
        storage,
        processes,
        dir: join(base, String(count)), // of one width: none is the beginning of another
        schema: `${name}_${String(count).padStart(4, '0')}`,
      });
    },
    dispose: async () => {
      await processes.ended();
      rmSync(base, { recursive: true, force: true });
      if (!hadState) removeEmpty(options.stateDir);
      if (storage.backend === 'postgres') await dropSchemas(storage, name);
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

interface CaseParts {
  readonly storage: StoragePlace;
  readonly processes: CrashProcesses;
  readonly dir: string;
  readonly schema: string;
}

function openCase({ storage, processes, dir, schema }: CaseParts): CrashCase {
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
    record: () => readCrashRecord({ storage, schema, stateDir: join(paths.workspace, '.kit') }),
    dispose: async () => {
      rmSync(dir, { recursive: true, force: true });
      if (storage.backend === 'postgres') await dropSchemas(storage, schema);
    },
  };
}

async function dropSchemas(
  storage: Extract<StoragePlace, { readonly backend: 'postgres' }>,
  prefix: string,
): Promise<void> {
  const { dropScratchSchemas } = await import('../../store/postgres/scratch.js');
  await dropScratchSchemas(storage, prefix);
}

/** Whole lines: the last one may have been cut off with its process. */
const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
