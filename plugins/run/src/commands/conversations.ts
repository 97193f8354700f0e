import {
  Flags,
  identityFlag,
  KitCommand,
  oneLine,
  timeText,
  toWireConversation,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

const MAX_LISTED = 100;

export class Conversations extends KitCommand {
  static override summary = 'List your conversations and those that are shared, newest first.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Whose (default: the OS user).'),
    last: Flags.integer({ char: 'n', description: 'How many.', default: 10, min: 1, max: MAX_LISTED }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Conversations);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const found = await this.kit.conversations.list({
      workspace,
      limit: flags.last,
      reader: { identity: whoActs(this.settings, flags.as).identity },
    });
    if (found.length === 0) this.log('no conversations');
    for (const { id, topology, turnCount, updatedAt, lastMessage } of found)
      this.log(
        `${id}  ${topology}  ${turnCount} ${turnCount === 1 ? 'turn' : 'turns'}  ${timeText(updatedAt)}  ${oneLine(lastMessage)}`,
      );
    return { conversations: found.map(toWireConversation) };
  }
}
