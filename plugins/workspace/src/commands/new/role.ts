import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, names, partFlags } from '../../new/new-part-command.js';

/** Writes a role: who may decide what. */
export class NewRole extends NewPartCommand {
  static override summary = 'Write a role: its members, and what they may decide.';
  static override examples = [
    '<%= config.bin %> new role qa --member ada --member grace',
    '<%= config.bin %> new role operations --member linus --scope release:deploy',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    member: Flags.string({
      char: 'm',
      description: 'Identities of its members, separated by commas.',
      multiple: true,
      helpValue: 'NAME,NAME',
    }),
    scope: Flags.string({
      description: 'What they may decide, <resource>:<action> (default: <role>:approve).',
      multiple: true,
      helpValue: 'SCOPE',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewRole);
    const id = await this.idOf('role', args.id);
    const given = names(flags.member);
    const members =
      given.length > 0
        ? given
        : names([await this.askedFor(undefined, 'Members, separated by commas:', `kit new role ${id} --member ada`)]);
    return this.make(flags, { part: 'role', id, members, scopes: names(flags.scope) });
  }
}
