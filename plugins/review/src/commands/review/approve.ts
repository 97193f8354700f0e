import { Flags } from '@kit-run/kit/command';
import { NamedCommand, namedArgs, namedFlags } from '../../named-command.js';

export class ReviewApprove extends NamedCommand {
  static override summary = 'Approve an item: a role task, a permission, a question or another matter.';
  static override examples = ['<%= config.bin %> review approve 4f2a'];
  static override args = namedArgs;
  static override flags = {
    ...namedFlags,
    input: Flags.string({
      description: 'For a permission of Claude Code: a JSON file with another input for the call.',
      helpValue: 'FILE',
    }),
  };

  override async run(): Promise<unknown> {
    return this.decideNamed('approve', await this.parse(ReviewApprove));
  }
}
