import { Args, Flags, KitCommand, oneLine, shellWord, toWireMemoryWritten, whoActs } from '@kit-run/kit/command';
import { memoryFlags } from '../../memory-flags.js';

/** Where the printed command has to look, as it was named. */
const placeOf = (workspace: string | undefined): string =>
  workspace === undefined ? '' : ` -w ${shellWord(workspace)}`;

export class MemoryAdd extends KitCommand {
  static override summary = 'Add one memory for everybody.';
  static override description =
    'A value that contradicts a known one waits for the decision of a person, and the known value stays: exit 1. Adding the same value again raises its confidence.';
  static override examples = ['<%= config.bin %> memory add billing currency "invoices are in euro"'];
  static override args = {
    subject: Args.string({ required: true, description: 'What it is about.' }),
    attribute: Args.string({ required: true, description: 'Which of its properties.' }),
    value: Args.string({ required: true, description: 'What is known of it.' }),
  };
  static override flags = {
    ...memoryFlags,
    type: Flags.string({ description: 'semantic, profile, procedural, episodic or working.', default: 'semantic' }),
    confidence: Flags.string({ description: '0 to 1.', default: '1' }),
    source: Flags.string({ description: 'Where it comes from. Default: who writes it.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(MemoryAdd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: undefined });
    const { type, source } = flags;
    // Number('') is 0, which nobody meant.
    const confidence = flags.confidence.trim() === '' ? Number.NaN : Number(flags.confidence);
    const memory = { ...args, type, confidence, ...(source === undefined ? {} : { source }) };
    const [written] = await this.kit.memory.add({
      workspace,
      by: whoActs(this.settings, flags.as).identity,
      memories: [memory],
    });
    if (written === undefined) throw new Error('what was to be remembered was not written');
    const { op, key, quarantineId } = written;
    if (quarantineId === null) this.log(`${op} ${oneLine(key)}`);
    else {
      this.logToStderr(
        `${oneLine(key)} contradicts what is known; decide with: kit memory resolve ${quarantineId} --accept${placeOf(flags.workspace)}`,
      );
      this.exitWith(1);
    }
    return toWireMemoryWritten(written);
  }
}
