import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Writes an eval set. */
export class NewEval extends NewPartCommand {
  static override summary = 'Write an eval set: cases that check the answers of a topology.';
  static override examples = ['<%= config.bin %> new eval answers --topology triage'];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    topology: Flags.string({ char: 't', description: 'Topology that it tests.', helpValue: 'NAME' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewEval);
    const id = await this.idOf('eval', args.id);
    const topology = await this.askedFor(
      flags.topology,
      'Topology that it asks:',
      `kit new eval ${id} --topology NAME`,
    );
    return this.make(flags, { part: 'eval', id, topology });
  }
}
