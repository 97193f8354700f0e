import {
  Args,
  type FiredTarget,
  Flags,
  followHandle,
  identityFlag,
  isKitError,
  KitCommand,
  KitError,
  openScreen,
  type PastePlace,
  pastePlace,
  type TriggerPlan,
  toWireJob,
  waitingOf,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { ERROR_REGISTRY } from '@kit-run/kit/plugin';
import { eventLine } from '@kit-run/kit/text/event-line';
import { goOn } from '@kit-run/kit/text/go-on';
import { runSummary } from '@kit-run/kit/text/run-summary';
import { announcement } from '../../announcement.js';
import { endsAll, exitOfAll, type Outcome } from '../../fire-exit.js';

/** One target with what is shown of it. */
interface Shown {
  readonly fired: FiredTarget;
  readonly outcome: Outcome;
  readonly wire: unknown;
}

export class TriggersFire extends KitCommand {
  static override summary = 'Fire a trigger by hand: run every topology that it names.';
  static override description =
    'This command executes the runs, one after the other, even while a server has the workspace; you are their author, as with `kit run`. With --server the server starts every target at once, event targets too, and the command shows each run until it ends. Exit codes are those of `kit run`; the worst result counts.';
  static override examples = [
    '<%= config.bin %> triggers fire nightly',
    '<%= config.bin %> triggers fire nightly ./team --input "only the docs" --json',
  ];
  static override args = {
    id: Args.string({ description: 'Id of the trigger.', required: true }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    input: Flags.string({
      char: 'i',
      description: 'Input of each run (default: that of the trigger).',
      helpValue: 'TEXT',
    }),
    as: identityFlag('Identity that submits the runs (default: the OS user).'),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the results.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TriggersFire);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const plan = await this.kit.triggers.plan({
      workspace,
      id: args.id,
      ...(flags.input === undefined ? {} : { input: flags.input }),
    });
    if (plan.firedBy === 'here' && plan.topologies.length === 0)
      throw new KitError(
        'KIT_NO_LISTENER',
        `trigger ${plan.trigger.id} emits events alone, and only a server has a listener for them`,
        {
          hint: `Ask a server of this workspace: kit triggers fire ${plan.trigger.id} --server URL`,
        },
      );
    const isQuiet = flags.quiet || this.settings.quiet || this.jsonEnabled();
    if (!isQuiet) for (const line of announcement(plan)) this.io.stderr.write(`${line}\n`);
    this.stdout.goOnWithout();
    const isHere = plan.firedBy === 'here';
    const shown: Shown[] = [];
    const targets = await this.targetsOf(plan, { workspace, by, input: flags.input });
    for (const [at, target] of targets.entries()) {
      const one = await this.runOne({
        workspace,
        shownAs: pastePlace(this.settings, flags.workspace ?? args.workspace),
        plan,
        target,
        by,
        isQuiet,
      });
      shown.push(one);
      // Ctrl-C means all of them
      if (!endsAll(one.outcome, isHere)) continue;
      const stops = !(one.outcome.kind === 'ran' && one.outcome.wasAborted);
      if (!isHere) shown.push(...(await this.leave(targets.slice(at + 1), { workspace, by, stops })));
      break;
    }
    if (isHere)
      await this.kit.triggers.record({ workspace, id: plan.trigger.id, by, targets: shown.map(({ fired }) => fired) });
    this.exitWith(exitOfAll(shown.map(({ outcome }) => outcome)));
    const left = isHere ? plan.events : [];
    return { trigger: plan.trigger.id, targets: shown.map(({ wire }) => wire), events_left_out: left };
  }

  /** What is to be shown, or started here first: a server has started all of it. */
  private async targetsOf(
    plan: TriggerPlan,
    { workspace, by, input }: { readonly workspace: string; readonly by: string; readonly input: string | undefined },
  ): Promise<readonly FiredTarget[]> {
    if (plan.firedBy === 'here') return plan.topologies.map((target) => ({ target, jobId: null, refusal: null }));
    const { targets } = await this.kit.triggers.fire({
      workspace,
      id: plan.trigger.id,
      by: { identity: by, assurance: 'asserted' },
      ...(input === undefined ? {} : { input }),
    });
    return targets;
  }

  /** Runs that a server has started, and that nobody looks at any more: asked to stop, or left. */
  private async leave(
    targets: readonly FiredTarget[],
    { workspace, by, stops }: { readonly workspace: string; readonly by: string; readonly stops: boolean },
  ): Promise<readonly Shown[]> {
    const left: Shown[] = [];
    for (const fired of targets) {
      const { target, jobId } = fired;
      if (jobId === null) continue;
      const job = stops ? (await this.kit.runs.stop({ workspace, job: jobId, by: `cli:${by}` })).job : null;
      if (!this.jsonEnabled())
        this.io.stderr.write(
          job === null
            ? `run ${jobId} of ${target} goes on at the server: kit wait ${jobId}\n`
            : `run ${jobId} of ${target} was asked to stop, and is ${job.status}\n`,
        );
      left.push({
        fired,
        outcome: { kind: 'taken' },
        wire: { target, refused: null, job: job === null ? { id: jobId } : toWireJob(job) },
      });
    }
    return left;
  }

  private async runOne(ask: {
    workspace: string;
    shownAs: PastePlace;
    plan: TriggerPlan;
    target: FiredTarget;
    by: string;
    isQuiet: boolean;
  }): Promise<Shown> {
    const { workspace, shownAs, plan, target: fired, by, isQuiet } = ask;
    const { target: topology, jobId, refusal } = fired;
    // An event: the listener of the server has it, and there is no run to show.
    if (plan.firedBy === 'server' && jobId === null && refusal === null)
      return { fired, outcome: { kind: 'taken' }, wire: { target: topology, refused: null, job: null } };
    try {
      if (refusal !== null) throw new KitError(refusal.code, refusal.message, { data: refusal.data });
      const handle = await this.kit.runs.start({
        workspace,
        topology,
        input: plan.input,
        attachments: [],
        correlationId: null,
        labels: {},
        supersedes: null,
        submittedBy: { identity: by, assurance: 'asserted' },
        source: `trigger:${plan.trigger.id}`,
        ...(jobId === null ? {} : { id: jobId }),
        timeoutMs: null,
        trust: [],
        ...(this.settings.stderrIsTty ? {} : { patience: 'unattended' as const }),
        ...(this.settings.traceParent === null ? {} : { traceParent: this.settings.traceParent }),
      });
      if (!isQuiet && handle.author !== null)
        this.io.stderr.write(`warning: ${handle.author.message}. ${handle.author.hint}\n`);
      const [isJson, color] = [this.jsonEnabled(), !this.settings.noColor && this.settings.stderrIsTty];
      const logJson = (value: unknown): void => this.logJson(value);
      const screen = openScreen({
        stderr: this.io.stderr,
        isJson,
        quiet: isQuiet,
        verbose: false,
        color,
        readsKeys: false,
        openLive: null,
        eventLine,
        logJson,
      });
      const { job, view, wasAsked, wasAborted } = await followHandle({
        handle,
        afterSeq: 0,
        by,
        screen,
        events: this.io.events,
      });
      if (!isJson) {
        const waiting = await waitingOf(job, {
          workspace,
          review: this.kit.review,
          warn: (text) => this.io.stderr.write(`warning: ${text}\n`),
        });
        const output = runSummary(view, job, {
          verbose: false,
          hasTree: false,
          workspaceArgument: '',
          color: !this.settings.noColor,
          quiet: true,
        });
        if (output !== '') this.io.stdout.write(`${output}\n`);
        const rest = runSummary(
          view,
          { ...job, output: null },
          {
            verbose: false,
            hasTree: false,
            workspaceArgument: shownAs,
            goOn: await goOn(job, { workspaceArgument: shownAs, self: whoActs(this.settings, undefined).identity }),
            color,
            quiet: false,
            ...(waiting === null ? {} : { waiting }),
          },
        );
        if (!isQuiet || job.status !== 'completed') this.io.stderr.write(`${rest}\n`);
      }
      return {
        fired: { target: topology, jobId: job.id, refusal: null },
        outcome: { kind: 'ran', status: job.status, wasAsked, wasAborted },
        wire: { target: topology, refused: null, job: toWireJob(job) },
      };
    } catch (error) {
      if (!isKitError(error)) throw error;
      if (!this.jsonEnabled()) this.io.stderr.write(`${topology} was refused: ${error.message}\n`);
      return {
        fired: {
          target: topology,
          jobId: null,
          refusal: { code: error.code, message: error.message, data: error.data },
        },
        outcome: { kind: 'refused', exit: ERROR_REGISTRY[error.code].exit },
        wire: { target: topology, refused: { code: error.code, message: error.message }, job: null },
      };
    }
  }
}
