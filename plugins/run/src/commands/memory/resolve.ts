import { Args, Flags, KitCommand, KitError, oneLine, toWireQuarantine, whoActs } from '@kit-run/kit/command';
import { memoryFlags } from '../../memory-flags.js';

export class MemoryResolve extends KitCommand {
  static override summary = 'Accept or reject a contradiction.';
  static override description = 'If accepted, its value replaces the known one; if rejected, the known value stays.';
  static override examples = ['<%= config.bin %> memory resolve 4f2a --accept'];
  static override args = { id: Args.string({ required: true, description: 'Id or unique prefix.' }) };
  static override flags = {
    ...memoryFlags,
    accept: Flags.boolean({ description: 'Its value is right.', exclusive: ['reject'] }),
    reject: Flags.boolean({ description: 'The known value is right.', exclusive: ['accept'] }),
    comment: Flags.string({ char: 'm', description: 'Why.', default: '' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(MemoryResolve);
    if (flags.accept === flags.reject)
      throw new KitError('KIT_USAGE', 'the decision is missing', { hint: 'Write --accept or --reject.' });
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: undefined });
    const comment = flags.comment === '' ? null : flags.comment;
    const decided = await this.kit.memory.resolve({
      workspace,
      id: args.id,
      accept: flags.accept,
      by: whoActs(this.settings, flags.as).identity,
      comment,
    });
    const { candidate, currentValue } = decided;
    this.log(
      `${oneLine(candidate.subject)}/${oneLine(candidate.attribute)}: ${oneLine(flags.accept ? candidate.value : currentValue)}`,
    );
    return toWireQuarantine(decided);
  }
}
