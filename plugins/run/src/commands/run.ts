import {
  Args,
  describeNotYet,
  Flags,
  type FlagsOf,
  identityFlag,
  isKitError,
  KitError,
  type OpenLiveRun,
  type PlanRun,
  type RunHandle,
  type StartRun,
  trustFlag,
  visible,
  whoActs,
  workspaceFlag,
} from '@kit-run/kit/command';
import { authorToWire, describePlan, describeReach, planToWire } from '../describe-plan.js';
import { FollowCommand } from '../follow-command.js';
import { onlyTopologyOf } from '../only-topology.js';
import { cassetteOf, isInputRecorded } from '../parse-flags.js';
import { placeOf, refuseAbove } from '../place-of.js';
import { readInput } from '../read-input.js';
import { anewFlag, spellResume } from '../resume-flag.js';
import { demandsOf, refuseStartFlags, startFlags } from '../start-flags.js';

export class Run extends FollowCommand {
  static override summary = 'Run a topology and show its progress.';
  static override description =
    'Exit codes: 0 completed, 1 failed, 2 refused before anything ran, 3 parked for a decision, 4 stopped, 130 interrupted twice.';
  static override args = {
    workspace: Args.string({ description: 'Directory that holds workspace.yaml.' }),
    topology: Args.string({ description: 'Topology: name or name@version (default: the only one there is).' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    ...startFlags,
    as: identityFlag('Identity that submits the run (default: the OS user).'),
    trust: trustFlag,
    resume: Flags.string({
      description: 'Resume a run: --resume for the last one, --resume=RUN for another.',
      helpValue: '[RUN]',
    }),
    anew: anewFlag(['resume']),
    'exit-zero-when-parked': Flags.boolean({ description: 'Exit 0 instead of 3 when the run parks.' }),
    verbose: Flags.boolean({ char: 'v', description: 'Show tool calls, streamed text and a summary by agent.' }),
    color: Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true }),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the result.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Run, spellResume(this.argv));
    const typed = { ...args, hasInput: flags.input !== undefined, command: 'kit run' };
    const { arg, topology, shown } = placeOf(typed, flags.workspace, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg });
    if (flags.resume !== undefined) {
      refuseStartFlags(flags);
      const job = flags.resume === '' ? null : flags.resume;
      const by = whoActs(this.settings, flags.as).identity;
      const live = this.loadLive(flags);
      const ask = { workspace, job, topology: topology ?? null, by, trust: flags.trust ?? [], anew: flags.anew };
      const handle = await this.kit.runs.resume(ask);
      return this.show(handle, flags, { workspace, shown, live });
    }
    if (topology !== undefined) await refuseAbove(topology, this.workspacesBelow, this.kit.info);
    const chosen = topology ?? (await this.onlyTopology(workspace, shown));
    const asked = this.asked({ workspace, topology: chosen }, flags);
    // A dry run waits for nothing: without --input it shows what would run for any.
    if (flags['dry-run'])
      return this.showPlan(flags.input === undefined ? asked : { ...asked, input: await this.input(flags.input) });
    const start = {
      ...asked,
      ...cassetteOf(flags, this.settings.cwd),
      input: isInputRecorded(flags) ? '' : await this.input(flags.input),
    };
    if (
      flags.replay === undefined &&
      this.settings.stderrIsTty &&
      !this.jsonEnabled() &&
      !flags.quiet &&
      !this.settings.quiet
    )
      await this.introduce(start);
    const live = this.loadLive(flags);
    const handle = await this.start(start);
    if (flags.replay !== undefined && !this.jsonEnabled() && !flags.quiet && !this.settings.quiet)
      this.io.stderr.write(
        `replaying ${flags.replay}: nothing is called, and tokens and cost are those of the recording\n`,
      );
    return this.show(handle, flags, { workspace, shown, live });
  }

  /** Everything but the input; what is malformed is refused before stdin is waited for. */
  private asked(place: { workspace: string; topology: string }, flags: RunFlags): PlanRun {
    return {
      ...place,
      ...demandsOf(flags, this.settings),
      submittedBy: { identity: whoActs(this.settings, flags.as).identity, assurance: 'asserted' },
      trust: flags.trust ?? [],
      ...(this.settings.traceParent === null ? {} : { traceParent: this.settings.traceParent }),
    };
  }

  /**
   * The topology of whoever names none: the only one there is. Throws KIT_USAGE with their names.
   */
  private async onlyTopology(workspace: string, shown: string): Promise<string> {
    const { topologies } = await this.kit.info.inventory(workspace);
    const { only, refusal } = onlyTopologyOf(topologies, shown);
    if (only === null) throw refusal;
    if (!this.settings.quiet) this.logToStderr(`topology ${only}: the only one`);
    return only;
  }

  /** On a terminal a missing input is asked for. */
  private async input(flag: string | undefined): Promise<string> {
    if (flag === undefined && this.settings.stdinIsTty && !this.jsonEnabled()) {
      const missing = new KitError('KIT_INPUT_MISSING', 'the run has no input', {
        hint: 'Add --input TEXT, or pipe the input.',
      });
      const typed = (await this.question('What is the run asked?', missing)) ?? '';
      if (typed === '') throw missing;
      return typed;
    }
    return readInput({
      flag,
      isInput: this.settings.stdinIsInput,
      stdin: () => this.io.stdin,
      notice: (text) => void this.io.stderr.write(`${text}\n`),
    });
  }

  /**
   * Once for a workspace that was never run here: what a run of it can start, and where it sends
   * to.
   */
  private async introduce(start: StartRun): Promise<void> {
    const plan = await this.kit.runs.introduce(start);
    const lines = plan === null ? [] : describeReach(plan);
    if (lines.length > 0)
      this.io.stderr.write(
        `${['This workspace is new on this machine. A run of it:', ...lines.map((line) => `  ${line}`)].join('\n')}\n\n`,
      );
  }

  /** An adapter that nobody approved is a question on a terminal, and a refusal everywhere else. */
  private async start(start: StartRun): Promise<RunHandle> {
    try {
      return await this.kit.runs.start(start);
    } catch (error) {
      if (
        !isKitError(error) ||
        error.code !== 'KIT_ADAPTER_UNTRUSTED' ||
        !this.settings.stdinIsTty ||
        this.jsonEnabled()
      )
        throw error;
      const plan = await this.kit.runs.plan(start);
      for (const adapter of plan.untrusted)
        this.io.stderr.write(
          `The adapter ${adapter.id} (${visible(adapter.path)}) starts:\n  ${visible(adapter.command.join(' '))}\nspec digest ${adapter.digest}\n`,
        );
      if (!(await this.confirm('Let it run from now on?', error))) throw error;
      for (const adapter of plan.untrusted) await this.kit.runs.approveAdapter({ workspace: start.workspace, adapter });
      return this.kit.runs.start(start);
    }
  }

  private async showPlan(start: PlanRun): Promise<unknown> {
    const plan = await this.kit.runs.plan(start);
    for (const line of describePlan(plan)) this.log(line);
    return planToWire(plan);
  }

  /**
   * The live tree, loaded while the run is made ready. It needs a terminal on stdout, as the design
   * asks, and one on stderr, where it is drawn: `kit run > file` leaves the result alone in the
   * file, and `2> file` the progress lines.
   */
  private loadLive(flags: RunFlags): Promise<OpenLiveRun | null> {
    const { stdoutIsTty, stderrIsTty, ci, isDumbTerminal, quiet } = this.settings;
    if (!stdoutIsTty || !stderrIsTty || ci || isDumbTerminal || quiet || flags.quiet || this.jsonEnabled())
      return Promise.resolve(null);
    const loading = this.screens.loadLiveRun();
    // A run that is refused never asks for it.
    loading.catch(() => undefined);
    return loading;
  }

  private async show(
    handle: RunHandle,
    flags: RunFlags,
    how: { workspace: string; shown: string; live: Promise<OpenLiveRun | null> },
  ): Promise<unknown> {
    if (!this.jsonEnabled() && !flags.quiet && !this.settings.quiet) {
      const warnings = [...handle.warnings.map(describeNotYet), ...handle.advice];
      if (handle.author !== null) warnings.push(`${handle.author.message}. ${handle.author.hint}`);
      for (const warning of warnings) this.io.stderr.write(`warning: ${warning}\n`);
    }
    const { verbose, color, quiet } = flags;
    const shown = await this.follow({
      handle,
      by: whoActs(this.settings, flags.as).identity,
      ...{ quiet, verbose, color, live: how.live },
      ...{ directory: how.workspace, workspace: how.shown },
      isParkedDone: flags['exit-zero-when-parked'],
    });
    return { ...shown, ...authorToWire(handle.author) };
  }
}

type RunFlags = FlagsOf<typeof Run>;
