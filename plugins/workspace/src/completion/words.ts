/** What the parser says of a flag or an argument, as manifests store it. */
interface KnownValue {
  readonly description?: string | undefined;
  readonly summary?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly options?: readonly string[] | undefined;
}

interface KnownFlag extends KnownValue {
  readonly char?: string | undefined;
  readonly type?: string | undefined;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly allowNo?: boolean | undefined;
}

/** What of a command of the running kit completion is made of. */
export interface KnownCommand extends KnownValue {
  readonly id: string;
  readonly aliases?: readonly string[] | undefined;
  readonly flags?: Readonly<Record<string, KnownFlag>> | undefined;
  readonly args?: Readonly<Record<string, KnownValue>> | undefined;
}

/** What a shell offers where a value belongs. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Asked of kit while somebody types: `kit complete <what>`. */
  | { readonly kind: 'live'; readonly what: LiveKind }
  | { readonly kind: 'directories' | 'files' | 'unknown' };

/** Names that change with every run. */
export type LiveKind = 'topologies' | 'runs' | 'items' | 'agents' | 'skills';

const LIVE: Readonly<Record<string, LiveKind>> = {
  topology: 'topologies',
  run: 'runs',
  RUN: 'runs',
  'run-id': 'runs',
  what: 'runs',
  item: 'items',
  agent: 'agents',
  skill: 'skills',
};

/** One flag as it is typed. */
export interface CompletionFlag {
  readonly name: string;
  readonly char: string | null;
  readonly description: string;
  /** null: the flag takes no value. */
  readonly values: Values | null;
}

/** A place in the tree of commands: a command, a topic, or both. */
export interface CompletionNode {
  /** Words behind `kit`, joined by blanks; '' = kit itself. */
  readonly path: string;
  readonly description: string;
  /** Next words, with what they do. */
  readonly next: readonly { readonly word: string; readonly description: string }[];
  readonly flags: readonly CompletionFlag[];
  readonly args: readonly { readonly name: string; readonly values: Values }[];
}

/** Shells expand what they are given as words: a name with anything else in it is not offered. */
const SAFE = /^[A-Za-z0-9@%+=:,./_-]+$/;
const safe = (words: readonly string[]): readonly string[] => words.filter((word) => SAFE.test(word));

/** First line, without control characters and the marks of a template. */
const sentence = (text: string | undefined): string =>
  (text ?? '')
    .replaceAll(/<%=[\s\S]*?%>/g, 'kit')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

const DIRECTORIES = /^(DIR|DIRECTORY|workspace|directory)$/;
const FILES = /^(FILE|PATH|file|path)$/;

function valuesOf(name: string, { options }: KnownValue): Values {
  if (options !== undefined && options.length > 0) return { kind: 'words', words: safe(options) };
  const live = LIVE[name];
  if (live !== undefined) return { kind: 'live', what: live };
  return { kind: DIRECTORIES.test(name) ? 'directories' : FILES.test(name) ? 'files' : 'unknown' };
}

function flagsOf(flags: Readonly<Record<string, KnownFlag>>): readonly CompletionFlag[] {
  const named = Object.entries(flags).filter(([name, flag]) => flag.hidden !== true && SAFE.test(name));
  return named.flatMap(([name, flag]): readonly CompletionFlag[] => {
    const values =
      flag.type === 'boolean' ? null : valuesOf(LIVE[name] === undefined ? String(flag.helpValue ?? name) : name, flag);
    const description = sentence(flag.summary ?? flag.description);
    const shown = {
      name,
      char: flag.char !== undefined && /^[A-Za-z0-9]$/.test(flag.char) ? flag.char : null,
      description,
      values,
    };
    return flag.allowNo === true ? [shown, { ...shown, name: `no-${name}`, char: null }] : [shown];
  });
}

const HELP: CompletionFlag = { name: 'help', char: null, description: 'Show help.', values: null };

/** Every place of the command tree, parents first. Hidden commands and flags are left out. */
export function completionNodes(commands: readonly KnownCommand[]): readonly CompletionNode[] {
  const byPath = new Map<string, KnownCommand>();
  for (const command of commands) {
    if (command.hidden === true) continue;
    for (const name of [command.id, ...(command.aliases ?? [])]) byPath.set(name.replaceAll(':', ' '), command);
  }
  const names = [...byPath.keys()].filter((path) => path.split(' ').every((word) => SAFE.test(word)));
  const prefixes = (path: string): readonly string[] =>
    path.split(' ').map((_word, index, words) => words.slice(0, index + 1).join(' '));
  const paths = ['', ...new Set(names.flatMap(prefixes))].sort();
  const describe = (path: string): string => sentence(byPath.get(path)?.summary ?? byPath.get(path)?.description);
  return paths.map((path) => {
    const lead = path === '' ? '' : `${path} `;
    const below = paths.filter(
      (other) => other !== '' && other.startsWith(lead) && !other.slice(lead.length).includes(' '),
    );
    const command = byPath.get(path);
    return {
      path,
      description: describe(path),
      next: below.map((other) => ({ word: other.slice(lead.length), description: describe(other) })),
      flags: [...flagsOf(command?.flags ?? {}), HELP],
      args: Object.entries(command?.args ?? {})
        .filter(([, arg]) => arg.hidden !== true)
        .map(([name, arg]) => ({ name, values: valuesOf(name, arg) })),
    };
  });
}

/** Text inside single quotes of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
