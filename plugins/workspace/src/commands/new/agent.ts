import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, names, partFlags } from '../../new/new-part-command.js';

const ROLES = ['root', 'leader', 'worker'] as const;

/** Writes an archetype: what an agent is. */
export class NewAgent extends NewPartCommand {
  static override summary = 'Write an archetype: model, prompt and skills of an agent.';
  static override examples = [
    '<%= config.bin %> new agent writer',
    '<%= config.bin %> new agent librarian --skills search-handbook',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    role: Flags.option({ options: ROLES, description: 'root and leader have agents below them.', default: 'worker' })(),
    skills: Flags.string({
      description: 'Skills that it may call, separated by commas.',
      multiple: true,
      helpValue: 'ID,...',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewAgent);
    const id = await this.idOf('agent', args.id);
    return this.make(flags, { part: 'agent', id, role: flags.role, skills: names(flags.skills) });
  }
}
