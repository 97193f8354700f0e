import type { EvalComparison } from './eval-app.js';

/** What of a report a comparison needs; the shape of any version of kit. */
export interface EarlierReport {
  /** Absolute path. */
  readonly path: string;
  readonly passRate: number;
  /** Case id -> whether it passed. */
  readonly cases: ReadonlyMap<string, boolean>;
  /** False for one that was interrupted. */
  readonly isWhole: boolean;
}

/** Reads a report; null for a file that is none. */
export function readReport(path: string, text: string): (EarlierReport & { readonly setId: string }) | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const {
    eval_set_id: setId,
    pass_rate: passRate,
    cases,
    not_run: notRun,
  } = value as Readonly<Record<string, unknown>>; // each is checked below
  if (typeof setId !== 'string' || typeof passRate !== 'number' || !Array.isArray(cases)) return null;
  const verdicts = cases.flatMap((entry: unknown): readonly (readonly [string, boolean])[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, passed } = entry as Readonly<Record<string, unknown>>; // both are checked
    return typeof id === 'string' && typeof passed === 'boolean' ? [[id, passed]] : [];
  });
  return { path, setId, passRate, cases: new Map(verdicts), isWhole: !Array.isArray(notRun) || notRun.length === 0 };
}

/**
 * What of these cases has changed since. `notRun`: ids of cases that are still there and have no
 * verdict this time.
 */
export function compare(
  earlier: EarlierReport,
  cases: readonly { readonly id: string; readonly passed: boolean }[],
  notRun: readonly string[],
): EvalComparison {
  const ids = (holds: (passed: boolean, before: boolean | undefined) => boolean): readonly string[] =>
    cases.filter(({ id, passed }) => holds(passed, earlier.cases.get(id))).map(({ id }) => id);
  const now = new Set([...cases.map(({ id }) => id), ...notRun]);
  const regressed = ids((passed, before) => before === true && !passed);
  const fixed = ids((passed, before) => before === false && passed);
  return {
    report: earlier.path,
    passRate: earlier.passRate,
    regressed,
    fixed,
    added: ids((_, before) => before === undefined),
    removed: [...earlier.cases.keys()].filter((id) => !now.has(id)),
    trend: regressed.length > 0 ? 'worse' : fixed.length > 0 ? 'better' : 'same',
  };
}
