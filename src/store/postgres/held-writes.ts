import {
  BEAT_COLUMNS,
  BEAT_JOBS,
  END_JOBS,
  END_STEPS,
  type GroupStatement,
  INSERT_PROMPTS,
  JOB_END_COLUMNS,
  PROMPT_COLUMNS,
  START_NEW_STEPS,
  START_STEPS,
  STEP_COLUMNS,
  STEP_END_COLUMNS,
} from './sql/grouped.js';
import { WITHDRAW_REVIEWS_OF } from './sql/reviews.js';
import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';

/** How long the lease is from now on, and how long the run was carried out since the last beat. */
export interface Beat {
  readonly leaseMs: number;
  readonly executedMs: number;
}

/** One row for a list of rows: a scalar for each of its columns. */
export type HeldRow = Readonly<Record<string, string | number | null>>;

interface Statement extends GroupStatement {
  readonly params: SqlParams;
  /** Rows that it has to change; null = as many as there are. */
  readonly rows: number | null;
}

/**
 * What the runs of one group write to their steps and jobs, held until the group's last statements:
 * a statement for each kind instead of one for each row. Rows of one kind keep their order; steps
 * are started before they are ended.
 */
export class HeldWrites {
  readonly #starts = new Map<string, HeldRow>();
  readonly #ends = new Map<string, HeldRow>();
  readonly #beats = new Map<string, HeldRow>();
  readonly #jobEnds = new Map<string, HeldRow>();
  #prompts: readonly HeldRow[] = [];

  get isEmpty(): boolean {
    return this.#starts.size + this.#ends.size + this.#beats.size + this.#jobEnds.size + this.#prompts.length === 0;
  }

  /** Whether this step was started or ended here already: what is held has to be written first. */
  hasStep(jobId: string, key: string): boolean {
    const id = stepId(jobId, key);
    return this.#starts.has(id) || this.#ends.has(id);
  }

  /** What START_STEPS takes of one step. */
  startStep(jobId: string, key: string, row: HeldRow): void {
    this.#starts.set(stepId(jobId, key), row);
  }

  /** What END_STEPS takes of one step. */
  endStep(jobId: string, key: string, row: HeldRow): void {
    const id = stepId(jobId, key);
    const started = this.#starts.get(id);
    if (started === undefined || started.outcome !== null || started.outcome_sha256 !== null) {
      this.#ends.set(this.#ends.has(id) ? `${id}\n${this.#ends.size}` : id, row);
      return;
    }
    const { outcome, outcomeSha256, usage, units, endedAt } = row;
    this.#starts.set(id, {
      ...started,
      outcome: outcome ?? null,
      outcome_sha256: outcomeSha256 ?? null,
      usage: usage ?? null,
      units: units ?? 0,
      ended_at: endedAt ?? null,
    });
  }

  /** What BEAT_JOBS takes of one job. */
  beat(jobId: string, { leaseMs, executedMs }: Beat): void {
    this.#beats.set(jobId, { jobId, leaseMs, executedMs: executedMs + this.#beatenMs(jobId) });
  }

  /** What END_JOBS takes of one job. */
  endJob(jobId: string, row: HeldRow): void {
    this.#jobEnds.set(jobId, { ...row, executedMs: this.#beatenMs(jobId) });
    this.#beats.delete(jobId);
  }

  /** What INSERT_PROMPTS takes. */
  keepPrompts(rows: readonly HeldRow[]): void {
    this.#prompts = [...this.#prompts, ...rows];
  }

  /**
   * Sends all that is held and forgets it. False: a row was not as it has to be, and the group is
   * to be undone.
   */
  async write(sql: SqlRunner): Promise<boolean> {
    const statements = this.#take();
    const changed = await Promise.all(statements.map(({ counted, params }) => sql.run(counted, params)));
    return statements.every(({ rows }, index) => rows === null || rows === changed[index]);
  }

  /**
   * All that is held, for COMMIT to follow at once, and forgets it: a row that is not as it has to
   * be fails its statement.
   */
  takeLast(): readonly LastStatement[] {
    return this.#take().map(({ whole: sql, params, rows }) => ({
      sql,
      params: rows === null ? params : { ...params, rows },
    }));
  }

  #take(): readonly Statement[] {
    const over = [...this.#jobEnds.values()].filter((row) => row.status !== 'stopped').map((row) => String(row.jobId));
    const starts = [...this.#starts.values()];
    const statements = [
      listed(starts.every(isFirst) ? START_NEW_STEPS : START_STEPS, STEP_COLUMNS, starts),
      listed(END_STEPS, STEP_END_COLUMNS, [...this.#ends.values()]),
      listed(BEAT_JOBS, BEAT_COLUMNS, [...this.#beats.values()]),
      listed(END_JOBS, JOB_END_COLUMNS, [...this.#jobEnds.values()]),
      {
        counted: WITHDRAW_REVIEWS_OF,
        whole: WITHDRAW_REVIEWS_OF,
        params: { jobIds: over },
        rows: over.length === 0 ? 0 : null,
      },
      listed(INSERT_PROMPTS, PROMPT_COLUMNS, this.#prompts),
    ];
    this.#prompts = [];
    for (const held of [this.#starts, this.#ends, this.#beats, this.#jobEnds]) held.clear();
    return statements.filter(({ rows }) => rows !== 0);
  }

  #beatenMs(jobId: string): number {
    return Number(this.#beats.get(jobId)?.executedMs ?? 0);
  }
}

/** Of a step's row: nobody has begun it before. */
const isFirst = ({ attempt }: HeldRow): boolean => attempt === 1;

/** No id of a job holds a line break. */
const stepId = (jobId: string, key: string): string => `${jobId}\n${key}`;

function listed(
  statement: GroupStatement,
  columns: Readonly<Record<string, string>>,
  rows: readonly HeldRow[],
): Statement {
  return {
    ...statement,
    params: Object.fromEntries(Object.keys(columns).map((name) => [name, rows.map((row) => row[name] ?? null)])),
    rows: rows.length,
  };
}
