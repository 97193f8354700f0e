import { Args, Flags, KitCommand, oneLine, toWireMemory, toWireMemoryChange, whoActs } from '@kit-run/kit/command';
import { memoryFlags } from '../../memory-flags.js';

export class MemoryGet extends KitCommand {
  static override summary = 'Show one memory, and where it came from.';
  static override description = 'Exit 1 when nothing is known under this subject and attribute.';
  static override args = {
    subject: Args.string({ required: true, description: 'What it is about.' }),
    attribute: Args.string({ required: true, description: 'Which of its properties.' }),
  };
  static override flags = { ...memoryFlags, history: Flags.boolean({ description: 'Every change, oldest first.' }) };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(MemoryGet);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: undefined });
    const [found] = await this.kit.memory.item({
      workspace,
      reader: whoActs(this.settings, flags.as).identity,
      ...args,
    });
    if (found === undefined) {
      this.log(`nothing is known of ${oneLine(args.subject)}/${oneLine(args.attribute)}`);
      this.exitWith(1);
      return { current: null, history: [] };
    }
    const { memory, history } = found;
    this.log(oneLine(memory.value, 4_000));
    if (flags.history)
      for (const { at, op, after, decidedBy } of history)
        this.log(`${at}  ${op}  ${oneLine(after, 200)}  (${oneLine(decidedBy)})`);
    return { current: toWireMemory(memory), history: flags.history ? history.map(toWireMemoryChange) : [] };
  }
}
