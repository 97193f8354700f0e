import { isLoginOver } from '../domain/consent.js';
import type { StepKind, StepRow } from '../domain/journal.js';
import { takenOver } from '../domain/taken-over.js';
import { askedAnew, isInside, prunedAmong } from './forked-rows.js';

/** What a retry begins with. */
export interface RetriedRows {
  readonly rows: readonly StepRow[];
  /** Keys of steps whose results are needed and gone: they and what came later run again. */
  readonly pruned: readonly string[];
  /** Keys of gates and questions that people are asked anew. */
  readonly gates: readonly string[];
}

/**
 * The rows of a failed run that its retry begins with: every step that was finished, but for those
 * that made the run fail, and what encloses them. A failure that an agent was told of, and went on
 * from, is such a finished step. What people decided stays with the run in which they decided
 * (docs/design/journal.md#live). A call with effects that nobody knows the end of is in doubt in
 * the retry as well: it is made twice only where its skill says so. Pure.
 */
export function retriedRows(rows: readonly StepRow[], jobId: string): RetriedRows {
  const isFatal = fatalAmong(rows);
  const isAsked = askedAnew(rows);
  const isKept = (row: StepRow): boolean =>
    row.outcome !== null && !isFatal(row) && !isAsked(row) && !isWithoutLogin(row);
  const pruned = prunedAmong(rows.filter(isKept));
  const [first] = pruned;
  const before = first === undefined ? rows : rows.slice(0, rows.indexOf(first));
  const isOpened = (row: StepRow): boolean => first !== undefined && isInside(first.key, row);
  const begun = before.flatMap((row): readonly StepRow[] => {
    if (isKept(row)) return isOpened(row) || row.prunedAt !== undefined ? [] : [row];
    return isDoubt(row) ? [{ ...row, ...IN_DOUBT }] : [];
  });
  return {
    rows: begun.map((row) => takenOver(row, jobId)),
    pruned: pruned.map(({ key }) => key),
    gates: rows.filter((row) => row.kind === 'gate').map(({ key }) => key),
  };
}

/** It ended the run past everything that encloses it; the retry has a token. */
const isWithoutLogin = ({ outcome }: StepRow): boolean => outcome?.status === 'failed' && isLoginOver(outcome.reason);

const IN_DOUBT = { outcome: null, endedAt: null, usage: null, onInDoubt: 'ask' } as const;

/** Sent, with effects, and without an end that anybody knows. */
const isDoubt = ({ kind, effects, outcome }: StepRow): boolean =>
  kind === 'tool' &&
  effects !== 'none' &&
  effects !== 'read' &&
  (outcome === null || (outcome.status === 'failed' && outcome.reason === 'in_doubt'));

/** Steps that an agent makes of what the steps before answered. */
const GOES_ON: readonly StepKind[] = ['model', 'harness', 'output'];

/**
 * True for a failure that ended whatever encloses it, up to the run: no later step of the same
 * activation went on from it.
 */
function fatalAmong(rows: readonly StepRow[]): (row: StepRow) => boolean {
  const byKey = new Map(rows.map((row, index) => [row.key, { row, index }]));
  const parentOf = ({ key }: StepRow): StepRow | null => {
    for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
      const outer = byKey.get(key.slice(0, end))?.row;
      if (outer !== undefined && isInside(key, outer)) return outer;
    }
    return null;
  };
  const last = new Map<string | null, number>();
  const lastOk = new Map<string | null, number>();
  for (const [index, row] of rows.entries()) {
    if (!GOES_ON.includes(row.kind)) continue;
    last.set(parentOf(row)?.key ?? null, index);
    if (row.outcome?.status === 'ok') lastOk.set(parentOf(row)?.key ?? null, index);
  }
  const isFatal = (row: StepRow): boolean => {
    if (row.outcome?.status !== 'failed') return false;
    const parent = parentOf(row);
    // What holds steps of its own goes on from them, where nobody was told that it failed.
    const after = row.kind === 'skill' ? lastOk : last;
    const isLast = (after.get(parent?.key ?? null) ?? -1) <= (byKey.get(row.key)?.index ?? 0);
    return isLast && (parent === null || isFatal(parent));
  };
  return isFatal;
}
