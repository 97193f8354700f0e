import { KitError } from '../../domain/errors.js';
import type { Files } from '../../domain/ports/system.js';
import { hintFor } from '../../lib/nearest.js';
import { compare, type EarlierReport, readReport } from './compare.js';
import type { EvalReportAsk, EvalReportRow, EvalReportsAsk, StoredEvalCase, StoredEvalReport } from './eval-app.js';

/** Where the reports of a workspace lie, and how they are read. */
export interface ReportsDeps {
  readonly files: Pick<Files, 'list' | 'readText'>;
  /** Absolute directory of the reports of a workspace. */
  readonly resultsDir: (workspace: string) => string;
}

/** The newest whole report of a set; null where there is none. */
export async function newestReport(deps: ReportsDeps, workspace: string, setId: string): Promise<EarlierReport | null> {
  for (const name of (await namesIn(deps, workspace)).sort(bySet).reverse()) {
    const path = `${deps.resultsDir(workspace)}/${name}`;
    const report = readReport(path, (await deps.files.readText(path)) ?? '');
    if (report?.setId === setId && report.isWhole) return report;
  }
  return null;
}

/** The reports of a workspace, newest first. What is not a report is left out. */
export async function listReports(
  deps: ReportsDeps,
  { workspace, set, limit }: EvalReportsAsk,
): Promise<readonly EvalReportRow[]> {
  const rows: EvalReportRow[] = [];
  for (const name of (await namesIn(deps, workspace)).sort(byInstant).reverse()) {
    if (rows.length === limit) break;
    const row = (await stored(deps, workspace, name))?.row;
    if (row !== undefined && (set === null || row.setId === set)) rows.push(row);
  }
  return rows;
}

/** One report whole. Throws KIT_EVAL_UNKNOWN. */
export async function readStored(
  deps: ReportsDeps,
  { workspace, name, against }: EvalReportAsk,
): Promise<StoredEvalReport> {
  const names = new Set(await namesIn(deps, workspace));
  const named = async (wanted: string): Promise<Stored> => {
    // A name of the directory, and no other path of the machine.
    const found = names.has(`${wanted}.json`) ? await stored(deps, workspace, `${wanted}.json`) : null;
    if (found !== null) return found;
    throw new KitError('KIT_EVAL_UNKNOWN', `there is no report ${wanted} of an eval set`, {
      hint: hintFor(
        wanted,
        [...names].map((file) => file.slice(0, -'.json'.length)),
        { fallback: 'GET /evals/reports lists them; `kit eval` writes one.' },
      ),
      data: { report: wanted },
    });
  };
  const { row, cases } = await named(name);
  const earlier = against === null ? null : await named(against);
  return {
    row,
    cases,
    comparison:
      earlier === null
        ? null
        : compare(
            {
              path: earlier.row.name,
              passRate: earlier.row.passRate,
              cases: new Map(earlier.cases.map(({ id, passed }) => [id, passed])),
              isWhole: earlier.row.notRun.length === 0,
            },
            cases,
            row.notRun,
          ),
  };
}

interface Stored {
  readonly row: EvalReportRow;
  readonly cases: readonly StoredEvalCase[];
}

async function namesIn(deps: ReportsDeps, workspace: string): Promise<string[]> {
  const entries = (await deps.files.list(deps.resultsDir(workspace))) ?? [];
  return entries.flatMap(({ name, kind }) => (kind === 'file' && name.endsWith('.json') ? [name] : []));
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A file may be of another version of kit, or of anybody: what is not there is empty. */
async function stored(deps: ReportsDeps, workspace: string, name: string): Promise<Stored | null> {
  const path = `${deps.resultsDir(workspace)}/${name}`;
  const content = (await deps.files.readText(path)) ?? '';
  const report = readReport(path, content);
  if (report === null) return null;
  const value = JSON.parse(content) as Readonly<Record<string, unknown>>; // readReport saw an object
  const cases = list(value.cases).flatMap((entry): readonly StoredEvalCase[] => {
    const one = Object(entry) as Readonly<Record<string, unknown>>; // each member is checked
    if (typeof one.id !== 'string' || typeof one.passed !== 'boolean') return [];
    const { id, passed } = one;
    return [
      {
        id,
        passed,
        failures: list(one.failures).map(text),
        output: text(one.output),
        runId: typeof one.run_id === 'string' ? one.run_id : null,
        durationMs: typeof one.duration_ms === 'number' ? one.duration_ms : null,
      },
    ];
  });
  return {
    cases,
    row: {
      name: name.replace(/\.json$/, ''),
      setId: report.setId,
      target: text(value.target),
      total: cases.length,
      passed: cases.filter(({ passed }) => passed).length,
      passRate: report.passRate,
      notRun: list(value.not_run).map(text),
      startedAt: text(value.started_at),
      endedAt: text(value.finished_at),
    },
  };
}

/**
 * The instant ends the name, so that the newest of one set is the last; an id may be the beginning
 * of another one. Of one second the number tells.
 */
function bySet(a: string, b: string): number {
  const [one, other] = [ageOf(a), ageOf(b)];
  return one.stem === other.stem ? one.n - other.n : one.stem < other.stem ? -1 : 1;
}

/** Of all sets together: by the instant, then as of one set. */
function byInstant(a: string, b: string): number {
  const [one, other] = [ageOf(a), ageOf(b)];
  return one.instant === other.instant ? bySet(a, b) : one.instant < other.instant ? -1 : 1;
}

function ageOf(name: string): { readonly stem: string; readonly instant: string; readonly n: number } {
  const [, stem = name, instant = '', n = '1'] = /^(.*?([^-]*Z))(?:\.(\d+))?\.json$/.exec(name) ?? [];
  return { stem, instant, n: Number(n) };
}
