import { Flags, listView, oneLine, type ProcessSettings, pastePlace, type Who } from '@kit-run/kit/command';

export const commentFlag = Flags.string({
  char: 'm',
  default: '',
  description: 'Why; kept with the decision.',
  helpValue: 'TEXT',
});

/** The first line of whatever shows or decides reviews. */
export const whoLine = ({ identity, from }: Who): string => `as ${oneLine(identity, 200)} (${from})`;

/** More names say less than the first ones. */
const SHOWN_PEOPLE = 8;

/**
 * What somebody who holds no role is told: under which names others decide, and at a server, where
 * `--as` is refused, how one of them comes there.
 */
export function whoIsHint(people: readonly string[], { otherwise }: Pick<Who, 'otherwise'>): string {
  if (people.length === 0) return 'No role has a member: write a RoleRegistry under roles/.';
  const shown = people.slice(0, SHOWN_PEOPLE).map((name) => oneLine(name, 60));
  const rest = people.length > shown.length ? ` and ${people.length - shown.length} more` : '';
  if (otherwise !== undefined) return `${shown.join(', ')}${rest} can decide. ${otherwise}`;
  return `Write --as one of ${shown.join(', ')}${rest}; \`kit config set identity\` keeps it.`;
}

/**
 * How reviews are shown here. `named`: how the user named the workspace, for commands to paste;
 * undefined = not at all.
 */
export function reviewView(
  settings: ProcessSettings,
  how: { readonly color: boolean | undefined; readonly named: string | undefined },
) {
  return { ...listView(settings, how.color), workspaceArgument: pastePlace(settings, how.named) };
}
