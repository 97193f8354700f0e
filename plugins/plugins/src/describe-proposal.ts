import { oneLine, type PluginProposal } from '@kit-run/kit/command';

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
export const isUnchanged = ({ action, spec, previous, sha512, changedFiles }: PluginProposal): boolean =>
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
export function describeProposal(proposal: PluginProposal): readonly string[] {
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
