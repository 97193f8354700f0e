import { Flags, KitCommand, oneLine, toWireQuarantine, whoActs } from '@kit-run/kit/command';
import { memoryFlags } from '../../memory-flags.js';

const STATUSES = ['pending', 'accepted', 'rejected', 'all'] as const;

export class MemoryQuarantine extends KitCommand {
  static override summary = 'List memories that contradict another one and wait for a decision.';
  static override flags = {
    ...memoryFlags,
    status: Flags.option({ description: 'Which.', options: STATUSES, default: 'pending' as const })(),
    limit: Flags.integer({ description: 'How many.', default: 20, min: 1, max: 200 }),
  };

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(MemoryQuarantine);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: undefined });
    const status = flags.status === 'all' ? null : flags.status;
    const found = await this.kit.memory.quarantine({
      workspace,
      reader: whoActs(this.settings, flags.as).identity,
      status,
      limit: flags.limit,
    });
    if (found.length === 0) this.log('nothing is set aside');
    for (const { id, status: now, candidate, currentValue, owner } of found) {
      const key = `${oneLine(candidate.subject)}/${oneLine(candidate.attribute)}`;
      this.log(`${id}  ${now}  ${key}: ${oneLine(currentValue)} -> ${oneLine(candidate.value)}  (${oneLine(owner)})`);
    }
    return { quarantine: found.map(toWireQuarantine) };
  }
}
