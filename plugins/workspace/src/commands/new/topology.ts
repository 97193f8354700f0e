import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, names, partFlags } from '../../new/new-part-command.js';

/** Writes a topology, and the archetypes that it names. */
export class NewTopology extends NewPartCommand {
  static override summary = 'Write a topology, with an archetype for each of its agents that has none.';
  static override examples = [
    '<%= config.bin %> new topology triage --agents reader,writer',
    '<%= config.bin %> new topology triage --root lead --agents reader --dry-run',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    root: Flags.string({ description: 'The agent that takes the request.', default: 'lead', helpValue: 'ID' }),
    agents: Flags.string({
      char: 'a',
      description: 'Agents below the root, separated by commas.',
      multiple: true,
      helpValue: 'ID,ID',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewTopology);
    const id = await this.idOf('topology', args.id);
    return this.make(flags, { part: 'topology', id, root: flags.root, agents: names(flags.agents) });
  }
}
