import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CrashCase, Ended, Row, Sight } from './crash-case.js';
import { type CrashPlan, pathsOf } from './crash-plan.js';
import { type CrashRoom, crashAndResume } from './crash-run.js';
import type { CrashScenario } from './crash-topology.js';

/**
 * A journal as it was recorded: the database as SQL text and rows, the blobs, the outside counts,
 * and how the run ends.
 */
export interface RecordedJournal {
  readonly name: string;
  readonly engine: number;
  readonly scenario: CrashScenario;
  readonly jobId: string;
  /** Process whose run it was; null when it had ended by itself. */
  readonly killedPid: number | null;
  readonly schema: readonly string[];
  readonly userVersion: number;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** SHA-256 -> UTF-8 text. */
  readonly blobs: Readonly<Record<string, string>>;
  /** Lines of the outside file. */
  readonly effects: readonly string[];
  /** The same run when nobody kills it. */
  readonly reference: {
    readonly report: Ended['report'];
    readonly steps: readonly Row[];
    readonly events: readonly Row[];
    readonly effects: Sight['effects'];
    /** Rows of the decisions as JSON text; absent in journals from before there were gates. */
    readonly decisions?: readonly string[];
  };
}

export interface JournalPlan {
  readonly name: string;
  readonly scenario: CrashScenario;
  /** How the recorded process dies; null = it runs to its end. */
  readonly death: Partial<CrashPlan> | null;
}

/**
 * What lies in test/journals/<engine>/. A new engine gets a directory of its own; what is recorded
 * is never recorded again.
 */
export const JOURNALS: readonly JournalPlan[] = [
  {
    name: 'child-half-done',
    scenario: 'models',
    death: { dieAfter: { op: 'step.ended', key: 'root/d0/t0/c1:counter/d0/t0/c0:count' } },
  },
  { name: 'step-in-doubt', scenario: 'models', death: { killIn: 'count-2' } },
  { name: 'harness-in-doubt', scenario: 'reference', death: { killIn: 'tool' } },
  { name: 'finished-parallel', scenario: 'reference', death: null },
  { name: 'failed', scenario: 'failing', death: null },
  { name: 'gate-open', scenario: 'gated', death: { dieAt: { name: 'run.parked:after', nth: 1 } } },
  { name: 'gate-half-signed', scenario: 'gated', death: { dieAt: { name: 'review.change:after', nth: 3 } } },
  {
    name: 'gate-reworked',
    scenario: 'twins',
    death: { dieAfter: { op: 'step.ended', key: 'root/d0/t0/c0:twin/d1/t0' } },
  },
];

/**
 * Short, so that the lease is over when somebody resumes the journal; and of another machine, so
 * that no host is named.
 */
const RECORDING = { leaseMs: 3_000, elsewhere: true } as const;

export async function recordJournal(room: CrashRoom, plan: JournalPlan, engine: number): Promise<RecordedJournal> {
  const recorded = await room.open();
  const ended = await recorded.start({ ...RECORDING, scenario: plan.scenario, ...plan.death }).ended;
  if ((ended.signal === 'SIGKILL') !== (plan.death !== null))
    throw new Error(`${plan.name} did not end as planned: ${JSON.stringify(ended)}`);
  const whole =
    plan.death === null ? { sight: await recorded.sight(), report: ended.report } : await wholeRun(room, plan.scenario);
  const { sight, report } = whole;
  return {
    name: plan.name,
    engine,
    scenario: plan.scenario,
    jobId: String((await recorded.sight()).jobs[0]?.id),
    killedPid: plan.death === null ? null : ended.pid,
    ...readDatabase(recorded.dir),
    blobs: readBlobs(recorded.dir),
    effects: readFileSync(pathsOf(recorded.dir).effects, 'utf8').split('\n').slice(0, -1),
    reference: {
      report,
      steps: sight.steps.map(({ key, kind, identity, outcome, step_id }) =>
        pick({ key, kind, identity, outcome, step_id }),
      ),
      events: sight.events.map(({ type, agent_id, skill_id, step_key }) =>
        pick({ type, agent_id, skill_id, step_key }),
      ),
      effects: sight.effects,
      decisions: sight.text?.decisions ?? [],
    },
  };
}

async function wholeRun(room: CrashRoom, scenario: CrashScenario) {
  const one = await room.open();
  const { last, final } = await crashAndResume(one, [], { scenario });
  return { sight: final, report: last.report };
}

/** Columns that are there; a row without one would compare as equal to anything. */
function pick(columns: Readonly<Record<string, string | number | null | undefined>>): Row {
  for (const [name, value] of Object.entries(columns)) if (value === undefined) throw new Error(`no column ${name}`);
  return columns as Row;
}

function readDatabase(dir: string): Pick<RecordedJournal, 'schema' | 'userVersion' | 'tables'> {
  const db = new Database(join(pathsOf(dir).state, 'store.sqlite'));
  try {
    const objects = db
      .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .all() as readonly {
      readonly type: string;
      readonly name: string;
      readonly sql: string;
    }[];
    const tables = objects.filter((object) => object.type === 'table').map((object) => object.name);
    return {
      // Triggers last: rows are put back before they forbid anything.
      schema: [
        ...objects.filter((object) => object.type !== 'trigger'),
        ...objects.filter((object) => object.type === 'trigger'),
      ].map((object) => object.sql),
      userVersion: Number(db.pragma('user_version', { simple: true })),
      tables: Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all() as Row[]])),
    };
  } finally {
    db.close();
  }
}

function readBlobs(dir: string): Readonly<Record<string, string>> {
  const root = join(pathsOf(dir).state, 'blobs');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && /^[0-9a-f]{64}$/.test(file.name),
  );
  return Object.fromEntries(files.map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'utf8')]));
}

/** Puts a recorded journal where a run of this case would have left it. */
export function restoreJournal(one: CrashCase, journal: RecordedJournal): void {
  const paths = pathsOf(one.dir);
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const db = new Database(join(paths.state, 'store.sqlite'));
  db.pragma('journal_mode = WAL');
  const isTrigger = (sql: string): boolean => /^CREATE TRIGGER/i.test(sql);
  for (const sql of journal.schema) if (!isTrigger(sql)) db.exec(sql);
  for (const [table, rows] of Object.entries(journal.tables)) for (const row of rows) insert(db, table, row);
  for (const sql of journal.schema) if (isTrigger(sql)) db.exec(sql);
  db.pragma(`user_version = ${journal.userVersion}`);
  db.close();
  for (const [sha256, text] of Object.entries(journal.blobs)) {
    const directory = join(paths.state, 'blobs', sha256.slice(0, 2));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, sha256), text, { mode: 0o600 });
  }
  writeFileSync(paths.effects, journal.effects.map((line) => `${line}\n`).join(''));
}

function insert(db: Database.Database, table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`).run(
    row,
  );
}
