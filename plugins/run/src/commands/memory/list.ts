import { Args, Flags, KitCommand, oneLine, toWireMemory, whoActs } from '@kit-run/kit/command';
import { memoryFlags } from '../../memory-flags.js';

const MAX_LISTED = 200;

export class MemoryList extends KitCommand {
  static override summary = 'List or search memories.';
  static override description =
    "Shows memories of your own runs and those that people wrote, never those of other people's runs. With words: the best match first.";
  static override examples = [
    '<%= config.bin %> memory list',
    '<%= config.bin %> memory list "invoice currency" --json',
  ];
  static override args = { query: Args.string({ description: 'Words to look for.' }) };
  static override flags = {
    ...memoryFlags,
    type: Flags.string({
      description: 'Only this type.',
      options: ['semantic', 'profile', 'procedural', 'episodic', 'working'],
    }),
    limit: Flags.integer({ description: 'How many.', default: 20, min: 1, max: MAX_LISTED }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(MemoryList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: undefined });
    const reader = whoActs(this.settings, flags.as).identity;
    const found = await this.kit.memory.list({
      workspace,
      reader,
      query: args.query ?? '',
      type: flags.type ?? null,
      limit: flags.limit,
    });
    if (found.length === 0) this.log('nothing is remembered');
    for (const { subject, attribute, value, confidence, origin, owner } of found)
      this.log(
        `${oneLine(subject)}/${oneLine(attribute)}: ${oneLine(value)}  (${origin}, ${oneLine(owner)}, ${confidence.toFixed(2)})`,
      );
    return { memories: found.map(toWireMemory) };
  }
}
