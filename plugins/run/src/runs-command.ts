import { type Job, KitCommand, KitError, type RunFilter } from '@kit-run/kit/command';

/** More runs are not decided about with one question. */
const MOST = 1_000;
/** Runs that are named above the question. */
const SHOWN = 10;

/** Statuses of the runs that a verb can do something about, where the filter names none. */
const STATUSES = {
  stop: ['pending', 'queued', 'running', 'deferred'],
  resume: ['stopped'],
  retry: ['failed'],
} as const satisfies Readonly<Record<string, RunFilter['status']>>;

type Verb = keyof typeof STATUSES;

/** A command about one run, or about all that pass its filters. */
export abstract class RunsCommand extends KitCommand {
  /**
   * The runs that pass the filter, oldest first, after their number was told and a person said yes
   * (`isSure`: nobody is asked); [] = there are none, or they said no. Throws KIT_USAGE where
   * nobody can be asked.
   */
  protected async chosenRuns(
    verb: Verb,
    of: { readonly workspace: string; readonly filter: RunFilter | null; readonly isSure: boolean },
  ): Promise<readonly Job[]> {
    const { workspace, filter, isSure } = of;
    const within = { status: STATUSES[verb], ...filter };
    const found = await this.kit.observe.status({ workspace, limit: MOST, filter: within });
    const jobs = found.map(({ job }) => job).reverse();
    if (jobs.length === 0) {
      this.logToStderr(`no run to ${verb} matches the filters`);
      return [];
    }
    for (const { id, topology, status: now } of jobs.slice(0, SHOWN)) this.logToStderr(`  ${id}  ${topology}  ${now}`);
    if (jobs.length > SHOWN) this.logToStderr(`  ... and ${jobs.length - SHOWN} more`);
    const count = jobs.length === 1 ? 'one run' : `${jobs.length} runs`;
    const refusal = new KitError('KIT_USAGE', `${count} selected, and there is no terminal to ask on`, {
      hint: `Look with \`kit status\` and the same filters, then add --yes.`,
    });
    if (isSure || (await this.confirm(`${verb} ${count}?`, refusal))) return jobs;
    this.logToStderr('nothing was done');
    return [];
  }
}

/** A command that names neither a run nor a filter. */
export const noRunNamed = (verb: Verb): KitError =>
  new KitError('KIT_USAGE', `name a run, or select runs to ${verb} with filters`, {
    hint: `For example: kit ${verb} RUN, or kit ${verb} --topology NAME --since 2h`,
  });
