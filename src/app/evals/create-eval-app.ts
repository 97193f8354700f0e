import type { Artifact } from '../../domain/artifact.js';
import { isKitError, KitError } from '../../domain/errors.js';
import type { EvalSet } from '../../domain/generated/artifacts.js';
import type { EvalCheck } from '../../domain/ports/eval-check.js';
import type { NewFiles } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';
import { checkCassettes } from './check-cassettes.js';
import { compare, readReport } from './compare.js';
import type { EvalApp, EvalAsk, EvalCaseResult, EvalOutcome } from './eval-app.js';
import { reportName, toReport } from './report.js';
import { type CaseDeps, runCase } from './run-case.js';
import { listReports, newestReport, type ReportsDeps, readStored } from './stored-reports.js';

/** Real parts behind the use cases. */
export interface EvalDeps extends Omit<CaseDeps, 'checks'>, ReportsDeps {
  readonly loadWorkspace: (workspace: string) => Promise<Workspace>;
  /** The instance behind a name of `checks`. Throws KIT_PLUGIN_*. */
  readonly resolveCheck: (workspace: string, name: string) => Promise<EvalCheck>;
  readonly newFiles: NewFiles;
}

type Found = Artifact<EvalSet>;

/** The use cases of eval sets, over parts that `boot` hands in. */
export function createEvalApp(deps: EvalDeps): EvalApp {
  return {
    list: async ({ workspace }) =>
      setsOf(await deps.loadWorkspace(workspace)).map(({ path, value }) => ({
        id: value.metadata.id,
        path,
        target: value.target,
        cases: value.cases.length,
      })),
    reports: (ask) => listReports(deps, ask),
    report: (ask) => readStored(deps, ask),
    run: async (ask) => {
      const loaded = await deps.loadWorkspace(ask.workspace).catch(asInvalidEval);
      const sets = ask.set === null ? setsOf(loaded) : [findSet(loaded, ask.set)];
      if (sets.length === 0)
        throw new KitError('KIT_EVAL_UNKNOWN', 'the workspace has no eval set', {
          hint: 'Write one: `kit new eval NAME --topology TOPOLOGY`.',
        });
      const checks = await resolveChecks(deps, ask, sets);
      const against = typeof ask.against === 'string' ? await namedReport(deps, { path: ask.against, sets }) : null;
      await checkCassettes(
        deps.files,
        ask,
        sets.map(({ value }) => value),
      );
      const outcomes: EvalOutcome[] = [];
      for (const set of sets) {
        if (ask.signal?.aborted === true) break;
        outcomes.push(await runSet(deps, { ask, set: set.value, checks, against }));
      }
      return outcomes;
    },
  };
}

/** Exit 1 says that a case failed: a set that cannot be evaluated is something else. */
function asInvalidEval(error: unknown): never {
  if (!isKitError(error) || error.code !== 'KIT_WORKSPACE_INVALID') throw error;
  throw new KitError('KIT_EVAL_INVALID', error.message, { data: error.data, cause: error });
}

const setsOf = ({ evalSets }: Workspace): readonly Found[] =>
  [...evalSets.values()].sort((a, b) => (a.value.metadata.id < b.value.metadata.id ? -1 : 1));

/** A path, a file name below `evals/`, or an id, in this order. */
function findSet(workspace: Workspace, asked: string): Found {
  const sets = setsOf(workspace);
  const plain = asked.replace(/^\.\//, '');
  const byPath = sets.find(({ path }) => [path, `${workspace.root}/${path}`].includes(plain));
  const byStem = sets.find(({ path }) => path.replace(/^evals\//, '').replace(/\.(ya?ml|json)$/, '') === plain);
  const found = byPath ?? byStem ?? sets.find(({ value }) => value.metadata.id === plain);
  if (found !== undefined) return found;
  const ids = sets.map(({ value }) => value.metadata.id);
  throw new KitError(
    'KIT_EVAL_UNKNOWN',
    `there is no eval set ${asked}; the workspace has ${ids.length === 0 ? 'none' : ids.join(', ')}`,
    {
      hint: hintFor(asked, ids, { fallback: 'Name a file of evals/, or the metadata.id of one.' }),
      data: { eval_set: asked, known: ids },
    },
  );
}

async function resolveChecks(
  deps: EvalDeps,
  ask: EvalAsk,
  sets: readonly Found[],
): Promise<ReadonlyMap<string, EvalCheck>> {
  const names = new Set(
    sets.flatMap(({ value }) => value.cases.flatMap(({ expect }) => Object.keys(expect?.checks ?? {}))),
  );
  return new Map(
    await Promise.all(
      [...names].map(
        async (name): Promise<[string, EvalCheck]> => [name, await deps.resolveCheck(ask.workspace, name)],
      ),
    ),
  );
}

interface SetRun {
  readonly ask: EvalAsk;
  readonly set: EvalSet;
  readonly checks: ReadonlyMap<string, EvalCheck>;
  /** The report that the caller named. */
  readonly against: NamedReport | null;
}

type NamedReport = NonNullable<ReturnType<typeof readReport>>;

/** Throws KIT_USAGE for a file that is not a report of one of the sets. */
async function namedReport(
  deps: EvalDeps,
  { path, sets }: { readonly path: string; readonly sets: readonly Found[] },
): Promise<NamedReport> {
  const text = await deps.files.readText(path).catch(() => null);
  const report = text === null ? null : readReport(path, text);
  const hint = 'Name a report of kit eval: its last line says where it lies.';
  if (report === null) throw new KitError('KIT_USAGE', `${path} is not a report of an eval set`, { hint });
  if (!sets.some(({ value }) => value.metadata.id === report.setId))
    throw new KitError(
      'KIT_USAGE',
      `${path} is a report of the eval set ${report.setId}, which is not evaluated here`,
      { hint },
    );
  return report;
}

async function runSet(deps: EvalDeps, { ask, set, checks, against }: SetRun): Promise<EvalOutcome> {
  const setId = set.metadata.id;
  const instant = (): string => new Date(deps.clock.now()).toISOString();
  const startedAt = instant();
  // Before the first case: a set that runs at the same time is not an earlier one.
  const earlier =
    against?.setId === setId ? against : ask.compare ? await newestReport(deps, ask.workspace, setId) : null;
  const done = new Map<number, EvalCaseResult>();
  const waiting = set.cases.entries();
  const isStopped = (): boolean => ask.signal?.aborted === true;
  const work = async (): Promise<void> => {
    for (const [index, entry] of waiting) {
      if (isStopped()) return;
      const result = await runCase({ ...deps, checks }, { ask, setId, target: set.target, entry });
      // Cut off is not a verdict; one that came to its end meanwhile has one.
      if (isStopped() && result.error !== null) return;
      done.set(index, result);
      ask.onCase?.(setId, result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ask.concurrency, set.cases.length) }, work));
  const cases = set.cases.flatMap((_, index) => done.get(index) ?? []);
  const notRun = set.cases.flatMap(({ id }, index) => (done.has(index) ? [] : [id]));
  const outcome = { setId, target: set.target, startedAt, endedAt: instant(), cases, notRun };
  const report = await writeReport(deps, ask.workspace, outcome);
  return { ...outcome, report, comparison: earlier === null ? null : compare(earlier, cases, notRun) };
}

/** Two sets that end within one second, or one that runs twice, keep a report each. */
async function writeReport(
  deps: EvalDeps,
  workspace: string,
  outcome: Omit<EvalOutcome, 'report' | 'comparison'>,
): Promise<string> {
  const base = `${deps.resultsDir(workspace)}/${reportName(outcome.setId, outcome.startedAt)}`;
  const text = `${JSON.stringify(toReport(outcome), null, 2)}\n`;
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? `${base}.json` : `${base}.${n}.json`;
    if (await deps.newFiles.create(path, text)) return path;
  }
}
