import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Gives a topology a knowledge base. */
export class NewKnowledge extends NewPartCommand {
  static override summary = 'Add a knowledge base to a topology: documents that its agents search.';
  static override examples = ['<%= config.bin %> new knowledge handbook --topology triage --path docs'];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    topology: Flags.string({ char: 't', description: 'Topology that gets it.', helpValue: 'NAME' }),
    path: Flags.string({
      description: 'File or folder of documents, relative to the workspace.',
      default: 'docs',
      helpValue: 'PATH',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewKnowledge);
    const id = await this.idOf('knowledge', args.id);
    const topology = await this.askedFor(
      flags.topology,
      'Topology that has it:',
      `kit new knowledge ${id} --topology NAME`,
    );
    return this.make(flags, { part: 'knowledge', id, topology, path: flags.path });
  }
}
