import {
  type Checkpoint,
  Flags,
  KitCommand,
  onlyHere,
  shellWord,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

export class Checkpoints extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the runs that can go on.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    limit: Flags.integer({ default: 10, min: 1, max: 1000, description: 'At most this many, newest first.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Checkpoints);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const checkpoints = await this.kit.runs.checkpoints({ workspace, limit: flags.limit });
    if (checkpoints.length === 0) this.log('no run can go on: none is stopped or waits for a decision');
    for (const checkpoint of checkpoints) this.log(describe(checkpoint));
    const given = flags.workspace ?? args.workspace;
    // A workspace that was found from here is found again where the line is pasted.
    const place = given === undefined ? '' : `${shellWord(given)} `;
    const [first] = checkpoints;
    if (first !== undefined) this.log(`\ngo on with: kit run ${place}${first.job.topology} --resume=${first.job.id}`);
    return {
      checkpoints: checkpoints.map(({ job, steps, blocked, blockedInFleet }) => ({
        ...toWireJob(job),
        steps,
        blocked,
        blocked_in_fleet: blockedInFleet,
      })),
    };
  }
}

function describe({ job, steps, blocked, blockedInFleet }: Checkpoint): string {
  const why = job.error ?? job.reason ?? '';
  return [
    job.id,
    job.topology.padEnd(20),
    job.status.padEnd(8),
    `${steps} ${steps === 1 ? 'step' : 'steps'}`.padEnd(10),
    job.createdAt,
    why,
    blocked ?? '',
    blockedInFleet === null ? '' : `no live server or worker can go on with it: ${blockedInFleet}`,
  ]
    .filter((part) => part !== '')
    .join('  ');
}
