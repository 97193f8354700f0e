import { Flags, KitCommand, KitError, oneLine, onlyHere, type PluginProposal } from '@kit-run/kit/command';

const MAX_COLUMNS = 200;

const list = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    ${oneLine(item, MAX_COLUMNS)}`)];

/** `+ new`, `- gone`; what stays is not repeated. */
function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...after.filter((item) => !before.includes(item)).map((item) => `+ ${item}`),
    ...before.filter((item) => !after.includes(item)).map((item) => `- ${item}`),
  ];
}

/** True when the accepted files are the proposed ones, and lie there as they were accepted. */
const isUnchanged = ({ action, spec, previous, sha512, changedFiles }: PluginProposal): boolean =>
  previous?.sha512 === sha512 &&
  changedFiles.length === 0 &&
  (action === 'link' ? previous.linked === spec : previous.linked === undefined);

/** Names of more files help nobody to decide. */
const MAX_CHANGED = 20;

const changedList = (files: readonly string[]): readonly string[] => [
  ...files.slice(0, MAX_CHANGED),
  ...(files.length > MAX_CHANGED ? [`${files.length - MAX_CHANGED} more`] : []),
];

/**
 * Lines that say what a plugin brings and may do; for one that is already there, what changes. Each
 * field is one printable line: what a package writes about itself forges no line of kit's.
 */
function describeProposal(proposal: PluginProposal): readonly string[] {
  const { previous, name, version } = proposal;
  const title = previous === null ? `${name} ${version}` : `${name} ${previous.version} -> ${version}`;
  const changes =
    previous === null
      ? []
      : [
          ...difference(previous.effects, proposal.effects).map((line) => `${line} (effect)`),
          ...difference(previous.commands, proposal.commands).map((line) => `${line} (command)`),
        ];
  return [
    oneLine(title, MAX_COLUMNS),
    ...list('contributes', proposal.contributions),
    ...list(
      'commands',
      proposal.commands.map((command) => `kit ${command}`),
    ),
    ...list('effects', proposal.effects.length === 0 ? ['none declared'] : proposal.effects),
    ...list('changes', previous === null || changes.length > 0 ? changes : ['files only; effects and commands stay']),
    ...list('installed files that nobody accepted', changedList(proposal.changedFiles)),
    ...list('not taken', proposal.dropped),
    '  A plugin runs inside kit with your rights: the effects are its own declaration.',
  ];
}

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
