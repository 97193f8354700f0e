import { type Firing, Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Writes a trigger: what starts runs by itself. */
export class NewTrigger extends NewPartCommand {
  static override summary = 'Write a trigger: a schedule, a webhook or watched files start runs.';
  static override examples = [
    '<%= config.bin %> new trigger nightly --topology tests --schedule "0 3 * * *" --input "Run the tests"',
    '<%= config.bin %> new trigger pushes --topology review --webhook',
    '<%= config.bin %> new trigger inbox --topology triage --watch "inbox/*.txt"',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    topology: Flags.string({ char: 't', description: 'Topology that it starts.', helpValue: 'NAME' }),
    schedule: Flags.string({
      description: 'Cron expression of 5 or 6 fields (default: every day at 3).',
      helpValue: 'CRON',
      exclusive: ['webhook', 'watch'],
    }),
    timezone: Flags.string({ description: 'IANA zone of the schedule.', default: 'UTC', helpValue: 'ZONE' }),
    webhook: Flags.boolean({ description: 'A POST to the server fires it.', exclusive: ['watch'] }),
    watch: Flags.string({ description: 'Files below the workspace that fire it.', helpValue: 'GLOB' }),
    input: Flags.string({
      char: 'i',
      description: 'What a run of the schedule is asked.',
      helpValue: 'TEXT',
      exclusive: ['webhook', 'watch'],
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewTrigger);
    const id = await this.idOf('trigger', args.id);
    const topology = await this.askedFor(
      flags.topology,
      'Topology that it runs:',
      `kit new trigger ${id} --topology NAME`,
    );
    return this.make(flags, { part: 'trigger', id, topology, fires: firingOf(flags) });
  }
}

function firingOf(flags: {
  readonly schedule: string | undefined;
  readonly timezone: string;
  readonly webhook: boolean;
  readonly watch: string | undefined;
  readonly input: string | undefined;
}): Firing {
  if (flags.webhook) return { on: 'webhook' };
  if (flags.watch !== undefined) return { on: 'files', pattern: flags.watch };
  return { on: 'schedule', cron: flags.schedule ?? '0 3 * * *', timezone: flags.timezone, input: flags.input ?? null };
}
