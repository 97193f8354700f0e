import {
  Args,
  durationText,
  Flags,
  isParked,
  isTerminal,
  KitCommand,
  KitError,
  namedOrNewest,
  runAndWorkspace,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { exitOfStatus } from '../exit-code.js';
import { parseTimeout } from '../parse-flags.js';

export class Wait extends KitCommand {
  static override summary = 'Wait until a run ends or waits for people.';
  static override description =
    'The run is executed elsewhere: Ctrl-C ends only the waiting. Exit codes are those of kit run: 0 completed, 1 failed, 3 waits for a decision, 4 stopped; 2 when --timeout is over first.';
  static override examples = [
    '<%= config.bin %> wait 4f2a',
    '<%= config.bin %> wait 4f2a --until ended --timeout 2h && ./deploy.sh',
  ];
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix (default: the newest run).' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    until: Flags.option({
      options: ['parked', 'ended'] as const,
      default: 'parked' as const,
      description: 'parked: also when people are asked or it is stopped; ended: only when it has completed or failed.',
    })(),
    timeout: Flags.string({ description: 'Longest wait: seconds, or 90s, 5m, 2h.', helpValue: 'TIME' }),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the result.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Wait);
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const printLine = (text: string): void => (flags.quiet ? undefined : this.logToStderr(text));
    const run = await namedOrNewest(this.kit, { workspace, named: place.run, notice: printLine });
    const timeoutMs = flags.timeout === undefined ? null : parseTimeout(flags.timeout);
    const { job, ended } = await this.untilAsked(async (asked) => {
      const late = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
      const signal = late === null ? asked : AbortSignal.any([asked, late]);
      const job = await this.kit.observe.wait({ workspace, run, until: flags.until, signal });
      const isThere = isTerminal(job.status) || (flags.until === 'parked' && isParked(job.status));
      return { job, ended: isThere ? 'there' : asked.aborted ? 'asked' : 'late' } as const;
    });
    if (ended === 'late')
      throw new KitError(
        'KIT_WAIT_TIMEOUT',
        `run ${job.id} is still ${job.status} after ${durationText(timeoutMs ?? 0)}`,
        {
          hint: `Run \`kit why ${job.id}\` to see what it waits for.`,
          data: { job_id: job.id, status: job.status },
        },
      );
    printLine(`run ${job.id} of ${job.topology} is ${job.status}${job.error === null ? '' : `: ${job.error}`}`);
    if (job.status === 'completed' && job.output !== null) this.log(job.output);
    this.exitWith(ended === 'asked' ? 130 : exitOfStatus(job.status, false));
    return toWireJob(job);
  }
}
