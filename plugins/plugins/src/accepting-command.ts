import { Flags, KitCommand, KitError, oneLine, onlyHere, type PluginProposal } from '@kit-run/kit/command';
import { describeProposal, isUnchanged } from './describe-proposal.js';

export const yesFlag = Flags.boolean({
  char: 'y',
  description: 'Accept the declared effects and commands without asking.',
});

/** What a command reports of one proposal. */
export interface Accepted extends Pick<PluginProposal, 'name' | 'version' | 'commands' | 'dropped'> {
  readonly state: 'accepted' | 'unchanged' | 'declined';
  readonly effects: readonly string[];
}

/** Shows a proposal, asks, and lets the host place it. */
export abstract class AcceptingCommand extends KitCommand {
  static override baseFlags = onlyHere;
  protected async decide(proposal: PluginProposal, yes: boolean): Promise<Accepted> {
    const { name, version, effects, commands, dropped } = proposal;
    if (isUnchanged(proposal)) return { name, version, state: 'unchanged', effects, commands, dropped };
    for (const line of describeProposal(proposal)) this.io.stderr.write(`${line}\n`);
    const refusal = new KitError(
      'KIT_PLUGIN_REFUSED',
      `${oneLine(name)} was not accepted: there is no terminal to ask on`,
    );
    const isAccepted = yes || (await this.confirm(`Take ${oneLine(name)} ${oneLine(version)} in?`, refusal));
    if (!isAccepted) throw new KitError('KIT_PLUGIN_REFUSED', `${oneLine(name)} was declined; nothing was changed`);
    const others = await this.kit.plugins.accept(proposal);
    if (others.length > 0) this.io.stderr.write(`  other packages that changed: ${oneLine(others.join(', '), 2000)}\n`);
    return { name, version, state: 'accepted', effects, commands, dropped };
  }

  protected printAccepted({ name, version, state }: Accepted): void {
    this.log(`${oneLine(name)} ${oneLine(version)}: ${state}`);
  }
}
