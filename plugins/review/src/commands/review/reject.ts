import { NamedCommand, namedArgs, namedFlags } from '../../named-command.js';

export class ReviewReject extends NamedCommand {
  static override summary = 'Reject an item; a rejected role task ends the run.';
  static override examples = ['<%= config.bin %> review reject 4f2a'];
  static override args = namedArgs;
  static override flags = namedFlags;

  override async run(): Promise<unknown> {
    return this.decideNamed('reject', await this.parse(ReviewReject));
  }
}
