import { KitError } from '../domain/errors.js';
import { nearest } from '../lib/nearest.js';
import { shellWord } from '../lib/shell-word.js';

/** What a command line is compared with: ids and aliases, words joined by `:`. */
export interface KnownCommand {
  readonly id: string;
  /** How many further words it takes; one more is a mistake. */
  readonly maxWords: number;
}

/** What users of the interface may still type, and what took its place. */
const REMOVED: Readonly<Record<string, string>> = {
  pipeline:
    'Pipelines were removed in 1.189: a topology with children or depends_on does their work, `kit run <workspace> <topology>`.',
  orchestrator: 'The orchestrator was removed in 1.189: `kit serve` executes runs and wakes those that were decided.',
};

/** Spellings of `kit --version`. */
export const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-V', 'version']);

/** Words that people try, and the command that does it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  approve: 'kit review approve',
  'artifacts show': 'kit artifacts get',
  audit: 'kit doctor --full',
  backup: 'kit docs back-up-and-restore',
  cancel: 'kit stop',
  check: 'kit validate',
  create: 'kit init',
  fleet: 'kit top',
  history: 'kit status',
  inbox: 'kit review',
  jobs: 'kit status',
  kill: 'kit stop',
  lint: 'kit validate',
  list: 'kit status',
  login: 'kit auth login',
  ls: 'kit status',
  'new archetype': 'kit new agent',
  'new gate': 'kit new funnel',
  'new harness': 'kit new agent NAME --harness ADAPTER',
  'new knowledge-base': 'kit new knowledge',
  'new mcp-server': 'kit new tool-server',
  'new plugin': 'kit plugins new',
  'new schedule': 'kit new trigger',
  'new server': 'kit new tool-server',
  'new tool': 'kit new skill',
  'new workspace': 'kit init',
  'plugins add': 'kit plugins install',
  'plugins create': 'kit plugins new',
  'plugins publish': 'npm publish',
  'plugins remove': 'kit plugins uninstall',
  pending: 'kit review list',
  ps: 'kit status',
  reject: 'kit review reject',
  restore: 'kit docs back-up-and-restore',
  'review accept': 'kit review approve',
  'review request-changes': 'kit review changes',
  runs: 'kit status',
  start: 'kit serve',
  tail: 'kit logs --follow',
  test: 'kit eval',
  whoami: 'kit auth status',
};

/** Words that people try and that no one command does: what to do in their place. */
const IN_PLACE: Readonly<Record<string, string>> = {
  'review comment': 'A comment goes with a decision: kit review approve RUN -m TEXT',
};

/** Words before the first flag: the command and its arguments. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return flag === -1 ? argv : argv.slice(0, flag);
}

const spoken = (id: string): string => id.replaceAll(':', ' ');

/** Below a command that is a topic too, the word may be one of its commands, misspelt. */
function surplusWord(
  words: readonly string[],
  command: KnownCommand,
  commands: readonly KnownCommand[],
): KitError | null {
  const name = spoken(command.id);
  const depth = name.split(' ').length;
  const [surplus] = words.slice(depth);
  if (surplus === undefined || words.length <= depth + command.maxWords) return null;
  const below = commands.flatMap(({ id }) => (spoken(id).startsWith(`${name} `) ? [id] : []));
  if (below.length > 0)
    return noCommand(`${name} ${surplus}`, wordsTo(depth + 1, below), { listing: `kit ${name} --help`, commands });
  // Which of several words is one too many, the parser of the command says.
  if (command.maxWords > 0) return null;
  return new KitError('KIT_USAGE', `\`kit ${name}\` takes no argument "${surplus}"`, {
    hint: `Run \`kit ${name} --help\`.`,
  });
}

const wordsTo = (depth: number, ids: readonly string[]): ReadonlySet<string> =>
  new Set(ids.map((id) => spoken(id).split(' ').slice(0, depth).join(' ')));

const entryOf = (table: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The one command below a topic that ends with this word; null where several do. */
function onlyBelow(typed: string, commands: readonly KnownCommand[]): string | null {
  const [only, ...others] = commands.map(({ id }) => spoken(id)).filter((name) => name.endsWith(` ${typed}`));
  return only === undefined || others.length > 0 ? null : only;
}

function noCommand(
  typed: string,
  known: ReadonlySet<string>,
  { listing, commands }: { readonly listing: string; readonly commands: readonly KnownCommand[] },
): KitError {
  const meant = onlyBelow(typed, commands) ?? nearest(typed, known);
  const word = meant === null ? nearest(typed, Object.keys(ELSEWHERE)) : null;
  const elsewhere = entryOf(ELSEWHERE, typed) ?? entryOf(ELSEWHERE, word ?? '');
  const guess = meant === null ? `Run \`${listing}\` to list the commands.` : `Did you mean \`kit ${meant}\`?`;
  const hint = entryOf(IN_PLACE, typed) ?? (elsewhere === undefined ? guess : `\`${elsewhere}\` does it.`);
  return new KitError('KIT_USAGE', `there is no command \`kit ${typed}\``, { hint });
}

/** Flags that stand alone, in place of a command. */
const ALONE: ReadonlySet<string> = new Set([...VERSION_WORDS, '--help', '-h']);

/** A flag before the command: the same line with the command in front, to paste. */
function leadingFlag(argv: readonly string[], commands: readonly KnownCommand[]): KitError | null {
  const [flag = ''] = argv;
  if (!flag.startsWith('-') || ALONE.has(flag)) return null;
  const firsts = wordsTo(
    1,
    commands.map(({ id }) => id),
  );
  const at = argv.findIndex((word) => firsts.has(word));
  const line = ['kit', ...argv.slice(at), ...argv.slice(0, at)].map(shellWord).join(' ');
  return new KitError('KIT_USAGE', `${flag.slice(0, 60)} stands before the command, and flags stand behind it`, {
    hint: at === -1 ? 'Run `kit --help` to list the commands.' : `Run \`${line}\`.`,
  });
}

/** oclif joins words by `:`; whoever types it means the words. */
function joinedWords(argv: readonly string[], commands: readonly KnownCommand[]): KitError {
  const [typed = '', ...rest] = argv;
  const meant = spoken(typed);
  return (
    unknownCommand([...meant.split(' '), ...rest], commands) ??
    new KitError('KIT_USAGE', `there is no command \`kit ${typed}\``, { hint: `Did you mean \`kit ${meant}\`?` })
  );
}

/**
 * The refusal of a command line that names no command, or null. oclif itself would show the help of
 * a topic and exit 0 when only the first word is known, and would look for a command `a:b` when `a`
 * takes no argument.
 */
export function unknownCommand(argv: readonly string[], commands: readonly KnownCommand[]): KitError | null {
  const words = wordsOf(argv);
  if (words.length === 0) return leadingFlag(argv, commands);
  if (words[0]?.includes(':')) return joinedWords(argv, commands);
  const prefixes = words.map((_word, index) => words.slice(0, index + 1).join(' '));
  const named = [...prefixes].reverse().flatMap((prefix) => commands.filter(({ id }) => spoken(id) === prefix))[0];
  if (named !== undefined) return surplusWord(words, named, commands);
  const isTopic = (text: string): boolean => commands.some(({ id }) => spoken(id).startsWith(`${text} `));
  if (isTopic(words.join(' '))) return null;
  const depth = prefixes.filter(isTopic).length + 1;
  const typed = words.slice(0, depth).join(' ');
  const removed = entryOf(REMOVED, words[0] ?? '');
  if (removed !== undefined)
    return new KitError('KIT_USAGE', `there is no command \`kit ${words[0]}\``, { hint: removed });
  return noCommand(
    typed,
    wordsTo(
      depth,
      commands.map(({ id }) => id),
    ),
    { listing: ['kit', ...words.slice(0, depth - 1), '--help'].join(' '), commands },
  );
}
