import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, names, partFlags } from '../../new/new-part-command.js';

const ROLES = ['root', 'leader', 'worker'] as const;

/** Writes an archetype: what an agent is. */
export class NewAgent extends NewPartCommand {
  static override summary = 'Write an archetype: what an agent is, with its model or its coding harness.';
  static override examples = [
    '<%= config.bin %> new agent writer',
    '<%= config.bin %> new agent librarian --skills search-handbook',
    '<%= config.bin %> new agent coder --harness claude-code',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    role: Flags.option({ options: ROLES, description: 'root and leader have agents below them.', default: 'worker' })(),
    skills: Flags.string({
      description: 'Skills that it may call, separated by commas.',
      multiple: true,
      helpValue: 'ID,ID',
    }),
    harness: Flags.string({
      description: 'Coding harness that does its work; `kit adapters list` shows them, `rehearsal` needs no program.',
      helpValue: 'ADAPTER',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewAgent);
    const id = await this.idOf('agent', args.id);
    const { role, harness = null } = flags;
    return this.make(flags, { part: 'agent', id, role, skills: names(flags.skills), harness });
  }
}
