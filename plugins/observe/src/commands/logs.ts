import {
  colorFlag,
  EMPTY_RUN,
  Flags,
  isKitError,
  KitCommand,
  KitError,
  type LoggedRun,
  listView,
  RunFold,
  runAndWorkspace,
  type StoredEvent,
  toWireEvent,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { eventLine } from '@kit-run/kit/text/event-line';
import { logMarkdown } from '@kit-run/kit/text/log-markdown';
import { logHeader, looseLine, waitText } from '@kit-run/kit/text/log-text';

const FORMATS = ['text', 'markdown', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** Types and families of which some events belong to no run. */
const mayBeLoose = (type: string): boolean => /^(input|trigger|pipeline)(\.|$)/.test(type);

/** Events of no run that are shown without --last. */
const LOOSE_SHOWN = 50;

/**
 * Other commands take a run where this one takes a workspace: whoever wrote one is told the flag.
 */
function meantRun(error: unknown, given: string | undefined): unknown {
  if (
    !isKitError(error) ||
    error.code !== 'KIT_WORKSPACE_NOT_FOUND' ||
    given === undefined ||
    !/^[0-9a-f]{4,}$/.test(given)
  )
    return error;
  return new KitError(error.code, error.message, { cause: error, hint: `Of a run: kit logs --run-id ${given}` });
}

const isRunId = (word: string | undefined): boolean => word !== undefined && /^[0-9a-f]{3,12}$/.test(word);

export class Logs extends KitCommand {
  static override summary = 'Show the events of runs.';
  static override description =
    'Shows the newest run, or the number of --last; filters combine. --follow continues with new events until the run ends or waits for a decision.';
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs --last 3 --topology review --type policy.denied,limit',
    '<%= config.bin %> logs --run-id 4f2a --agent writer --format markdown',
    '<%= config.bin %> logs --loose --type trigger',
    '<%= config.bin %> logs --follow',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    last: Flags.integer({
      char: 'n',
      min: 1,
      max: 1000,
      description: 'How many runs (default 1); with --loose, how many events (default 50).',
      helpValue: 'N',
      exclusive: ['run-id'],
    }),
    'run-id': Flags.string({ char: 'r', description: 'One run: its id or a unique prefix.', helpValue: 'RUN' }),
    agent: Flags.string({ char: 'a', description: 'Only events of this agent.', helpValue: 'ID' }),
    topology: Flags.string({
      char: 't',
      description: 'Only runs of this topology: name or name@version.',
      helpValue: 'NAME',
    }),
    type: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      description: 'Only these event types (skill.gap) or families (skill).',
      helpValue: 'TYPE',
    }),
    follow: Flags.boolean({ char: 'f', description: 'Continue with new events as they are written.' }),
    format: Flags.option({
      options: FORMATS,
      description: 'text (default), markdown or json, one value a line.',
      default: 'text' as const,
    })(),
    loose: Flags.boolean({
      description:
        'Events that belong to no run (refused inputs, firings of triggers, events handed in), and no others.',
      exclusive: ['run-id', 'agent', 'follow'],
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Logs);
    const format = this.formatOf(flags);
    // What looks like the id of a run is one, as it is for \`kit trace\`.
    const place = runAndWorkspace({ run: args.workspace }, this.settings.cwd);
    const run = flags['run-id'] ?? (isRunId(place.run) ? place.run : undefined);
    const arg = run !== undefined && run === place.run ? undefined : args.workspace;
    const workspace = this.workspaceDir({ flag: flags.workspace, arg });
    if (flags.loose) return this.showLoose({ workspace, format, color: flags.color }, flags);
    // A signal ends the log as it ends `tail -f`: nothing is asked to stop but the reading.
    return this.untilAsked(async (signal) => {
      const runs = await this.kit.observe
        .logs({
          workspace,
          run: run ?? null,
          last: flags.last ?? 1,
          topology: flags.topology ?? null,
          agent: flags.agent ?? null,
          types: flags.type ?? [],
          follow: flags.follow,
          signal,
        })
        .catch((error: unknown) => {
          throw flags.workspace === undefined ? meantRun(error, args.workspace) : error;
        });
      if (runs.length === 0) this.notice(await this.noRuns());
      const counts = await this.show(runs, format, listView(this.settings, flags.color).color);
      if (counts.every(({ events }) => events === 0) && (flags.type ?? []).some(mayBeLoose))
        this.notice('events that belong to no run: kit logs --loose');
      if (flags.follow && !signal.aborted) for (const { job } of runs) await this.reportWait(workspace, job.id);
      return { runs: counts };
    });
  }

  /** What happened outside every run: a day stands in each line. */
  private async showLoose(
    as: { readonly workspace: string; readonly format: Format; readonly color: boolean | undefined },
    of: {
      readonly last?: number | undefined;
      readonly topology?: string | undefined;
      readonly type?: string[] | undefined;
    },
  ): Promise<unknown> {
    const { last = LOOSE_SHOWN, topology = null, type: types = [] } = of;
    const events = await this.kit.events.loose({ workspace: as.workspace, types, topology, last });
    const { color } = listView(this.settings, as.color);
    for (const event of events) {
      if (as.format === 'json') this.logJson({ type: 'event', ...toWireEvent(event) });
      else this.log(looseLine(event, { color }));
    }
    if (events.length === 0) this.notice('no event that belongs to no run passes the filters');
    return { events: events.length };
  }

  private formatOf(flags: { readonly format: Format; readonly follow: boolean; readonly loose: boolean }): Format {
    const { format, follow, loose } = flags;
    if (this.jsonEnabled()) return 'json';
    if (follow && format === 'markdown')
      throw new KitError('KIT_USAGE', '--format markdown shows a run as it is now, so --follow has no effect', {
        hint: 'Leave out --follow, or use --format text.',
      });
    if (loose && format === 'markdown')
      throw new KitError('KIT_USAGE', '--format markdown shows a run, and these events belong to no run', {
        hint: 'Use --format text or json.',
      });
    return format;
  }

  private async show(
    runs: readonly LoggedRun[],
    format: Format,
    color: boolean,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const counts: Record<string, unknown>[] = [];
    for (const [index, run] of runs.entries()) {
      const shown: StoredEvent[] = [];
      let count = 0;
      const fold = new RunFold(EMPTY_RUN);
      if (format === 'text') this.log(`${index === 0 ? '' : '\n'}${logHeader(run.job, { color })}`);
      for await (const event of run.events) {
        fold.add(event);
        if (!run.shows(event)) continue;
        count += 1;
        if (format === 'json') this.logJson({ type: 'event', ...toWireEvent(event) });
        else if (format === 'text') this.log(eventLine(event, { color, verbose: true, time: true }) ?? '');
        else shown.push(event);
      }
      if (format === 'markdown')
        this.log(`${index === 0 ? '' : '\n'}${logMarkdown({ job: run.job, view: fold.view, shown })}`);
      if (count === 0) this.notice(`run ${run.job.id}: none of its ${fold.view.lastSeq} events passes the filters`);
      counts.push({ ...toWireJob(run.job), events: count, events_of_run: fold.view.lastSeq });
    }
    return counts;
  }

  /** A log that ends without an end of its run says why. */
  private async reportWait(workspace: string, run: string): Promise<void> {
    const [now] = await this.kit.observe.status({ workspace, limit: 1, filter: { idPrefix: run } });
    if (now === undefined) return;
    const { job } = now;
    if (job.status === 'deferred') this.notice(waitText(job));
  }

  /** About the log and not of it: stdout stays what was asked for. */
  private notice(text: string): void {
    if (!this.jsonEnabled() && !this.settings.quiet) this.io.stderr.write(`${text}\n`);
  }
}
