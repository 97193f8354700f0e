import { type App, type Job, KitError, type RunFilter } from '@kit-run/kit/command';

/** More runs are not decided about with one question. */
const MOST = 1_000;
/** Runs that are named above the question. */
const SHOWN = 10;

/** Which runs a command is about, and how it asks. */
export interface SeveralRuns {
  readonly workspace: string;
  /** `stop`, `retry`, `resume`: for the question. */
  readonly verb: string;
  readonly filter: RunFilter;
  /** Statuses of the runs that the verb can do something about, where the filter names none. */
  readonly status: NonNullable<RunFilter['status']>;
  /** `--yes`: nobody is asked. */
  readonly isSure: boolean;
  readonly confirm: (question: string, refusal: KitError) => Promise<boolean>;
  readonly printLine: (text: string) => void;
}

/**
 * The runs that pass the filter, oldest first, after their number was told and a person said yes;
 * [] = there are none, or they said no. Throws KIT_USAGE where nobody can be asked.
 */
export async function chosenRuns({ observe }: Pick<App, 'observe'>, of: SeveralRuns): Promise<readonly Job[]> {
  const { workspace, verb, filter, status, isSure, confirm, printLine } = of;
  const found = await observe.status({ workspace, limit: MOST, filter: { status, ...filter } });
  const jobs = found.map(({ job }) => job).reverse();
  if (jobs.length === 0) {
    printLine(`no run to ${verb} matches the filters`);
    return [];
  }
  for (const { id, topology, status: now } of jobs.slice(0, SHOWN)) printLine(`  ${id}  ${topology}  ${now}`);
  if (jobs.length > SHOWN) printLine(`  ... and ${jobs.length - SHOWN} more`);
  const count = jobs.length === 1 ? 'one run' : `${jobs.length} runs`;
  const refusal = new KitError('KIT_USAGE', `${count} selected, and there is no terminal to ask on`, {
    hint: `Look with \`kit status\` and the same filters, then add --yes.`,
  });
  if (isSure || (await confirm(`${verb} ${count}?`, refusal))) return jobs;
  printLine('nothing was done');
  return [];
}

/** A command that names neither a run nor a filter. */
export const noRunNamed = (verb: string): KitError =>
  new KitError('KIT_USAGE', `name a run, or select runs to ${verb} with filters`, {
    hint: `For example: kit ${verb} RUN, or kit ${verb} --topology NAME --since 2h`,
  });
