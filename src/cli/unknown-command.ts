import { KitError } from '../domain/errors.js';
import { nearest } from '../lib/nearest.js';

/** What a command line is compared with: ids and aliases, words joined by `:`. */
export interface KnownCommand {
  readonly id: string;
  /** False when any further word is a mistake. */
  readonly takesWords: boolean;
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
  cancel: 'kit stop',
  create: 'kit init',
  login: 'kit auth login',
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
  'plugins publish': 'npm publish',
  reject: 'kit review reject',
  start: 'kit serve',
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
  const surplus = words[depth];
  if (command.takesWords || surplus === undefined) return null;
  const below = commands.flatMap(({ id }) => (spoken(id).startsWith(`${name} `) ? [id] : []));
  if (below.length > 0) return noCommand(`${name} ${surplus}`, wordsTo(depth + 1, below), `kit ${name} --help`);
  return new KitError('KIT_USAGE', `\`kit ${name}\` takes no argument "${surplus}"`, {
    hint: `Run \`kit ${name} --help\`.`,
  });
}

const wordsTo = (depth: number, ids: readonly string[]): ReadonlySet<string> =>
  new Set(ids.map((id) => spoken(id).split(' ').slice(0, depth).join(' ')));

const entryOf = (table: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

function noCommand(typed: string, known: ReadonlySet<string>, listing: string): KitError {
  const elsewhere = entryOf(ELSEWHERE, typed);
  const meant = nearest(typed, known);
  const guess = meant === null ? `Run \`${listing}\` to list the commands.` : `Did you mean \`kit ${meant}\`?`;
  const hint = elsewhere === undefined ? guess : `\`${elsewhere}\` does it.`;
  return new KitError('KIT_USAGE', `there is no command \`kit ${typed}\``, { hint });
}

/**
 * The refusal of a command line that names no command, or null. oclif itself would show the help of
 * a topic and exit 0 when only the first word is known, and would look for a command `a:b` when `a`
 * takes no argument.
 */
export function unknownCommand(argv: readonly string[], commands: readonly KnownCommand[]): KitError | null {
  const words = wordsOf(argv);
  if (words.length === 0) return null;
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
    'kit --help',
  );
}
