import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, names, partFlags } from '../../new/new-part-command.js';

/** Writes a funnel: a gate that people decide. */
export class NewFunnel extends NewPartCommand {
  static override summary = 'Write a funnel: a gate that people of given roles have to sign.';
  static override examples = [
    '<%= config.bin %> new funnel sign-off --role qa',
    '<%= config.bin %> new funnel release --role qa,operations --people 2 --topology release',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    role: Flags.string({
      description: 'Roles that must sign, separated by commas.',
      multiple: true,
      helpValue: 'ID,ID',
    }),
    topology: Flags.string({
      char: 't',
      description: 'Topology whose root agent passes it.',
      helpValue: 'NAME',
    }),
    people: Flags.integer({
      description: 'How many different people must sign; a quorum counts roles.',
      min: 1,
      max: 50,
      helpValue: 'N',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewFunnel);
    const id = await this.idOf('funnel', args.id);
    const given = names(flags.role);
    const roles =
      given.length > 0
        ? given
        : names([await this.askedFor(undefined, 'Role that must sign:', `kit new funnel ${id} --role qa`)]);
    return this.make(flags, {
      part: 'funnel',
      id,
      roles,
      people: flags.people ?? null,
      topology: flags.topology ?? null,
    });
  }
}
