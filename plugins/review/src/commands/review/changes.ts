import { NamedCommand, namedArgs, namedFlags } from '../../named-command.js';

export class ReviewChanges extends NamedCommand {
  static override summary = 'Request changes with a comment: the agent works on it again.';
  static override examples = ['<%= config.bin %> review changes 4f2a -m "name the failing test"'];
  static override args = namedArgs;
  static override flags = namedFlags;

  override async run(): Promise<unknown> {
    return this.decideNamed('changes_requested', await this.parse(ReviewChanges));
  }
}
