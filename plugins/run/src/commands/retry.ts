import {
  Args,
  commandLine,
  Flags,
  identityFlag,
  pastePlace,
  runFilterFlags,
  runFilterOf,
  shellWord,
  toWireJob,
  trustFlag,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { FollowCommand } from '../follow-command.js';
import { noRunNamed } from '../runs-command.js';

export class Retry extends FollowCommand {
  static override summary = 'Retry a failed run as a new run that keeps its finished steps.';
  static override description =
    'The retry is a new run with the same snapshot and input; the failed run is not changed. People decide its gates again. Earlier cost counts for its limits. A run has one retry: a second call shows the first one. With filters kit shows the number of runs and asks first, then retries one after the other. Exit codes are those of kit run.';
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    ...runFilterFlags,
    yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }),
    as: identityFlag('Identity that submits the retry (default: the OS user).'),
    trust: trustFlag,
    'repeat-pruned': Flags.boolean({
      description: 'Run steps whose results were removed, and all later steps, again.',
    }),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the result.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Retry);
    const filter = runFilterOf(flags);
    if (args.run === undefined && filter === null) throw noRunNamed('retry');
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    if (args.run !== undefined)
      return this.retry(args.run, { workspace, given: flags.workspace ?? args.workspace ?? null }, flags);
    const jobs = await this.chosenRuns('retry', { workspace, filter, isSure: flags.yes });
    return this.each(jobs, ({ id }) =>
      this.retry(id, { workspace, given: flags.workspace ?? args.workspace ?? null }, flags),
    );
  }

  private async retry(
    job: string,
    { workspace, given }: { readonly workspace: string; readonly given: string | null },
    flags: {
      readonly as?: string | undefined;
      readonly trust?: string[] | undefined;
      readonly 'repeat-pruned': boolean;
      readonly quiet: boolean;
    },
  ): Promise<unknown> {
    const by = whoActs(this.settings, flags.as).identity;
    const retried = await this.kit.runs.retry({
      workspace,
      job,
      by,
      trust: flags.trust ?? [],
      repeatPruned: flags['repeat-pruned'],
    });
    if (retried.kind === 'there') {
      const { id, status } = retried.job;
      const why = `kit why ${id}${given === null ? '' : ` ${shellWord(given)}`}`;
      this.log(`it was retried before, as run ${id}, which is ${status}; look: ${why}`);
      if (status === 'failed') await this.sayNext(id, workspace, given);
      return toWireJob(retried.job);
    }
    const { handle, gates } = retried;
    if (gates.length > 0 && !this.jsonEnabled() && !flags.quiet)
      this.io.stderr.write('people decide again: earlier decisions stay with the failed run\n');
    return this.follow({ handle, by, quiet: flags.quiet, directory: workspace, workspace: given });
  }

  /** The retry that was made before has failed as well: this command has nothing more to give. */
  private async sayNext(run: string, workspace: string, given: string | null): Promise<void> {
    const { situation } = await this.kit.review.why({ workspace, what: run });
    if (situation.fact !== null) this.log(`needs first: ${situation.fact}`);
    this.log(`next: ${commandLine(situation, pastePlace(this.settings, given))}`);
    this.exitWith(1);
  }
}
