import { Flags, KitError, whoActs } from '@kit-run/kit/command';
import { NamedCommand, namedArgs, namedFlags } from '../../named-command.js';

export class ReviewResolve extends NamedCommand {
  static override summary = 'Decide one role task of a gate under your name.';
  static override description =
    'The identity is not verified: anybody who can write the store can decide. It is compared with the current role registry. Exit code 0: the decision is recorded.';
  static override examples = [
    '<%= config.bin %> review resolve mpa-4f2a:reporter-0-qa --as qa-1 --approve',
    '<%= config.bin %> review resolve mpa-4f2a:reporter-0-qa --as qa-1 --changes-requested -m "name the failing test"',
  ];
  static override args = namedArgs;
  static override flags = {
    ...namedFlags,
    approve: Flags.boolean({ description: 'Approve.', exclusive: ['reject', 'changes-requested'] }),
    reject: Flags.boolean({ description: 'Reject: the run ends.', exclusive: ['approve', 'changes-requested'] }),
    'changes-requested': Flags.boolean({
      aliases: ['request-changes'],
      description: 'Request changes with a comment: the agent works on it again.',
      exclusive: ['approve', 'reject'],
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewResolve);
    const outcome = flags.approve
      ? 'approve'
      : flags.reject
        ? 'reject'
        : flags['changes-requested']
          ? 'changes_requested'
          : null;
    const who = whoActs(this.settings, flags.as);
    // Nobody signs for a role under the name of a machine's user without having said so.
    if (who.from === 'the OS user')
      throw new KitError('KIT_USAGE', 'the identity that decides is missing', {
        hint: `Write --as <identity>, or set it once with \`kit config set identity <identity>\`: kit review resolve ${args.item} --as <identity> --approve`,
      });
    if (outcome === null)
      throw new KitError('KIT_OUTCOME_INVALID', 'the decision is missing', {
        hint: 'Write --approve, --reject or --changes-requested.',
      });
    return this.decideNamed(outcome, { args, flags }, { tasksOnly: true });
  }
}
