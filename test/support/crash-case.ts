import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrashDatabase, type CrashStoreName, openCrashDatabase } from './crash-database.js';
import { type CrashPlan, type CrashPoint, type ProcessReport, pathsOf } from './crash-plan.js';
import { compileCache, foldedProgram } from './folded-program.mjs';
import { processesWith } from './processes.js';
import { createRepository } from './repository.js';
import type { StoreDump } from './store-dump.js';

/** One id for every run: then step ids are the same everywhere and can be compared. */
export const JOB_ID = '0c0ffee0c0de';
export const LEASE_MS = 600_000;

/** One execution of an effect, as the outside counted it. */
export interface Effect {
  readonly stepId: string;
  readonly name: string;
  readonly workerPid: number;
}

/** A row of a table as the database holds it. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Everything that can be seen of a run from outside at one moment. */
export interface Sight {
  readonly text: StoreDump['tables'];
  readonly jobs: readonly Row[];
  readonly steps: readonly Row[];
  readonly events: readonly Row[];
  readonly effects: readonly Effect[];
  readonly ackedEvents: ReadonlySet<string>;
  readonly ackedEnds: ReadonlySet<string>;
  readonly worktrees: readonly string[];
}

export interface Ended {
  readonly pid: number;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
  readonly report: ProcessReport | null;
}

/** One run in a fresh directory, and the processes that carry it. */
export interface CrashCase {
  readonly dir: string;
  readonly mark: string;
  /** Null: SQLite. */
  readonly storeUrl: string | null;
  start(plan: Partial<CrashPlan>): { readonly pid: number; readonly ended: Promise<Ended> };
  sight(): Promise<Sight>;
  /** After a kill, before the next process: see CrashDatabase. */
  bury(): Promise<void>;
  hits(pid: number): readonly CrashPoint[];
  /** Living processes of the run: harnesses, commands and what they started. */
  alive(): readonly number[];
  dispose(): Promise<void>;
}

/** A directory for the cases of one test file, with a repository that each case gets a copy of. */
export function createCrashRoom(store: CrashStoreName = 'SQLite') {
  const base = mkdtempSync(join(tmpdir(), 'kit-crash-run-'));
  const repository = createRepository({ 'a.txt': 'a\n' });
  let count = 0;
  return {
    async open(): Promise<CrashCase> {
      count += 1;
      const dir = join(base, `case-${count}`);
      const { temp } = pathsOf(dir);
      mkdirSync(temp, { recursive: true });
      cpSync(repository.root, pathsOf(dir).repository, { recursive: true });
      const program = await foldedProgram('test/support/crash-process.ts');
      return openCase(await openCrashDatabase(store, dir), { dir, program, mark: `${base.slice(-6)}-${count}-` });
    },
    dispose(): void {
      repository.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function openCase(
  database: CrashDatabase,
  { dir, mark, program }: Pick<CrashCase, 'dir' | 'mark'> & { readonly program: string },
): CrashCase {
  const paths = pathsOf(dir);
  return {
    dir,
    mark,
    storeUrl: database.url,
    start: (over) => {
      const plan: CrashPlan = {
        dir,
        mark,
        jobId: JOB_ID,
        storeUrl: database.url,
        scenario: 'reference',
        entry: 'start',
        recover: 'manual',
        leaseMs: LEASE_MS,
        ...over,
      };
      return startProgram(program, plan);
    },
    sight: async () => {
      // Before the tables: what another process acknowledges in between must not be missed in them.
      const acks = linesOf(paths.acks);
      return look(dir, await database.tables(), acks);
    },
    bury: () => database.bury(LEASE_MS),
    hits: (pid) =>
      linesOf(paths.hits).flatMap((line) => {
        const [at, name = '', nth] = line.split(' ');
        return Number(at) === pid ? [{ name, nth: Number(nth) }] : [];
      }),
    alive: () => processesWith(`CRASH_MARK=${mark}`),
    dispose: async () => {
      rmSync(dir, { recursive: true, force: true });
      await database.dispose();
    },
  };
}

function startProgram(program: string, plan: CrashPlan): { readonly pid: number; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: pathsOf(plan.dir).temp,
      ...compileCache(),
    },
  });
  const pid = child.pid ?? -1;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    // Written by `crash-process.ts`, whole or not at all.
    const report = stdout === '' ? null : (JSON.parse(stdout) as ProcessReport);
    return { pid, code: code as number | null, signal: signal as NodeJS.Signals | null, stderr, report };
  });
  return { pid, ended };
}

function look(dir: string, text: StoreDump['tables'], ackLines: readonly string[]): Sight {
  const paths = pathsOf(dir);
  const rows = (lines: readonly string[] | undefined): readonly Row[] =>
    (lines ?? []).map((line) => JSON.parse(line) as Row);
  const acks = ackLines.map((line) => line.split(' '));
  const acked = (kind: string): ReadonlySet<string> =>
    new Set(acks.flatMap((words) => (words[1] === kind ? [words.slice(2).join(' ')] : [])));
  return {
    text,
    jobs: rows(text?.jobs),
    steps: named(rows(text?.steps), rows(text?.jobs)),
    events: rows(text?.events),
    effects: linesOf(paths.effects).map((line) => {
      const [stepId = '', name = '', , workerPid] = line.split(' ');
      return { stepId, name, workerPid: Number(workerPid) };
    }),
    ackedEvents: acked('event'),
    ackedEnds: acked('ended'),
    worktrees: readdirSync(paths.temp).filter((name) => name.startsWith('kit-worktree-')),
  };
}

/** A run that the run has asked for has steps of the same keys: they are told apart by its id. */
function named(steps: readonly Row[], jobs: readonly Row[]): readonly Row[] {
  const ids = new Map(jobs.map((job) => [String(job.ord), job.id]));
  return steps.map((row) => {
    const id = row.job_id ?? ids.get(String(row.run)) ?? JOB_ID;
    return id === JOB_ID ? row : { ...row, key: `${id}:${row.key}` };
  });
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
