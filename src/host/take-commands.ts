/** What matters of a command here. */
export interface CommandNames {
  readonly id: string;
  readonly aliases?: string[];
  readonly hiddenAliases?: string[];
}

export interface TakenCommands<C> {
  readonly commands: C[];
  /** What was not taken, one sentence part each. */
  readonly dropped: readonly string[];
}

const asId = (name: string): string => name.trim().replaceAll(' ', ':');

/**
 * Taken itself, or below a taken command: `kit run all` must stay the command `run` with an
 * argument.
 */
const isTaken = (name: string, taken: ReadonlySet<string>): boolean =>
  beginningsOf(asId(name)).some((beginning) => taken.has(beginning));

/** `a:b:c`: `a`, `a:b`, `a:b:c`. */
const beginningsOf = (id: string): readonly string[] =>
  id.split(':').map((_part, index, parts) => parts.slice(0, index + 1).join(':'));

/** Names that stand for a group of taken commands: `plugins` shows what is below it. */
const topicsOf = (taken: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...taken].flatMap((id) => beginningsOf(id).slice(0, -1)));

/** Every id and alias under which commands can be called. */
export const namesOf = (commands: readonly CommandNames[]): readonly string[] =>
  commands.flatMap(({ id, aliases = [], hiddenAliases = [] }) => [id, ...aliases, ...hiddenAliases].map(asId));

/** The commands and aliases of a foreign plugin that shadow nothing. */
export function takeCommands<C extends CommandNames>(
  offered: readonly C[],
  taken: ReadonlySet<string>,
): TakenCommands<C> {
  const dropped: string[] = [];
  const topics = topicsOf(taken);
  const keep = (kind: string) => (name: string) => {
    if (!isTaken(name, taken) && !topics.has(asId(name))) return true;
    dropped.push(`${kind} ${asId(name).replaceAll(':', ' ')} (taken)`);
    return false;
  };
  const commands = offered
    .filter(({ id }) => keep('command')(id))
    .map((command) => ({
      ...command,
      aliases: (command.aliases ?? []).filter(keep('alias')),
      hiddenAliases: (command.hiddenAliases ?? []).filter(keep('alias')),
    }));
  return { commands, dropped };
}
