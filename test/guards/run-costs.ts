import type { Backend } from '../support/guards/guarded-store.js';
import type { Load } from '../support/guards/loads.js';

/** What one run costs that nothing runs beside, in a store that has seen such a run before. */
export interface RunCost {
  /** Statements that change rows, by what they do to which table. */
  readonly writes: Readonly<Record<string, number>>;
  /** Transactions that change something. */
  readonly commits: number;
  /** Rows that are left, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Bytes of the values of these rows, within 2 %. */
  readonly bytes: number;
  /** Pages that its commits write, tables and indexes, where a file tells: by SQLite. */
  readonly pagesAtMost?: number;
  /** All other statements: looks for stops and claims, what is known of the log. */
  readonly readsAtMost: number;
  /**
   * Processor time of this process, in units of `calibrate`; at most 1.4 times as much passes. What
   * a start of a process takes by itself is not part of it: they are counted, see below.
   */
  readonly processorTime: number;
}

/**
 * Live bytes of the heap, after a collection, for each run that waits for its model in the midst of
 * a chain of ten: what a process pays for a thousand runs that wait is what the collector copies.
 */
export const LIVE_BYTES_PER_RUN = 59_200;

/** Promises that a run makes on SQLite, one after another; 5 % more pass. */
export const PROMISES_OF_RUN: Readonly<Record<Load, number>> = {
  'chain of ten': 750,
  gated: 1_570,
  'tool loop': 1_285,
  harness: 2_240,
};

/** Processes that this one starts for a run, each under a supervisor or for git. */
export const PROCESSES_OF_RUN: Readonly<Record<Load, number>> = {
  'chain of ten': 0,
  gated: 0,
  'tool loop': 5,
  harness: 7,
};

/**
 * The one table of what runs cost. Who changes a figure says in the commit why, and what whoever
 * runs kit has from it. What a run used is counted with its end (`usage_runs`, `usage_days`, where
 * the statement of PostgreSQL writes both): nobody who asks for it later reads its log.
 */
export const RUN_COSTS: Readonly<Record<Backend, Readonly<Record<Load, RunCost>>>> = {
  sqlite: {
    'chain of ten': {
      writes: {
        'insert jobs': 1,
        'update jobs': 2,
        'insert step_rows': 21,
        'update step_rows': 21,
        'insert event_rows': 33,
        'insert prompts': 11,
        'insert usage_runs': 1,
        'insert usage_days': 1,
        'update gates': 1,
        'update review_items': 1,
        'delete timers': 1,
      },
      commits: 13,
      rows: { jobs: 1, step_rows: 21, event_rows: 33, prompts: 11, usage_runs: 1 },
      bytes: 31_913,
      pagesAtMost: 108,
      readsAtMost: 28,
      processorTime: 1.03,
    },
    gated: {
      writes: {
        'insert jobs': 1,
        'update jobs': 6,
        'insert step_rows': 3,
        'update step_rows': 3,
        'insert event_rows': 16,
        'insert prompts': 1,
        'insert gates': 1,
        'insert usage_runs': 1,
        'insert usage_days': 1,
        'update gates': 2,
        'insert review_items': 2,
        'update review_items': 4,
        'insert decisions': 2,
        'insert artifacts': 1,
        'delete timers': 1,
      },
      commits: 9,
      rows: {
        jobs: 1,
        step_rows: 3,
        event_rows: 16,
        prompts: 1,
        gates: 1,
        review_items: 2,
        decisions: 2,
        artifacts: 1,
        usage_runs: 1,
      },
      bytes: 10_056,
      pagesAtMost: 102,
      // One of them is the fence of the row that names the artifact; four tell whoever waits for
      // the run what it has used, when it parks.
      readsAtMost: 94,
      processorTime: 1.75,
    },
    'tool loop': {
      writes: {
        'insert jobs': 1,
        'update jobs': 2,
        'insert step_rows': 12,
        'update step_rows': 12,
        'insert event_rows': 15,
        'insert prompts': 6,
        'insert usage_runs': 1,
        'insert usage_days': 1,
        'update gates': 1,
        'update review_items': 1,
        'delete timers': 1,
      },
      commits: 13,
      rows: { jobs: 1, step_rows: 12, event_rows: 15, prompts: 6, usage_runs: 1 },
      bytes: 14_197,
      pagesAtMost: 87,
      readsAtMost: 23,
      processorTime: 2.9,
    },
    harness: {
      writes: {
        'insert jobs': 1,
        'update jobs': 2,
        'insert step_rows': 2,
        'update step_rows': 3,
        'insert event_rows': 6,
        'update gates': 1,
        'update review_items': 1,
        'delete timers': 1,
      },
      commits: 5,
      rows: { jobs: 1, step_rows: 2, event_rows: 6 },
      // With the path of its worktree, which differs by some 40 bytes from one machine to the next.
      bytes: 3_028,
      pagesAtMost: 37,
      readsAtMost: 11,
      processorTime: 3.8,
    },
  },
  postgres: {
    'chain of ten': {
      writes: {
        'insert jobs': 1,
        'update jobs': 1,
        'insert steps': 11,
        'update steps': 11,
        'insert events': 13,
        'insert prompts': 1,
        'insert usage_runs': 1,
        'update gates': 1,
      },
      commits: 13,
      rows: { jobs: 1, steps: 21, events: 33, prompts: 11, usage_runs: 1 },
      bytes: 37_747,
      readsAtMost: 80,
      processorTime: 2.0,
    },
    gated: {
      writes: {
        'insert jobs': 1,
        'update jobs': 5,
        'insert steps': 2,
        'update steps': 2,
        'insert events': 8,
        'insert prompts': 1,
        'insert gates': 1,
        'insert usage_runs': 1,
        'update gates': 2,
        'insert review_items': 2,
        'update review_items': 3,
        'insert decisions': 2,
        'insert artifacts': 1,
      },
      commits: 9,
      rows: {
        jobs: 1,
        steps: 3,
        events: 16,
        prompts: 1,
        gates: 1,
        review_items: 2,
        decisions: 2,
        artifacts: 1,
        usage_runs: 1,
      },
      bytes: 12_144,
      readsAtMost: 110,
      processorTime: 3.2,
    },
    'tool loop': {
      writes: {
        'insert jobs': 1,
        'update jobs': 1,
        'insert steps': 11,
        'update steps': 11,
        'insert events': 13,
        'insert prompts': 1,
        'insert usage_runs': 1,
        'update gates': 1,
      },
      commits: 13,
      rows: { jobs: 1, steps: 12, events: 15, prompts: 6, usage_runs: 1 },
      bytes: 17_018,
      readsAtMost: 75,
      processorTime: 4.1,
    },
    harness: {
      writes: {
        'insert jobs': 1,
        'update jobs': 1,
        'insert steps': 1,
        'update steps': 3,
        'insert events': 5,
        'update gates': 1,
      },
      commits: 5,
      rows: { jobs: 1, steps: 2, events: 6 },
      // With the path of its worktree, as above.
      bytes: 3_864,
      readsAtMost: 34,
      processorTime: 4,
    },
  },
};
