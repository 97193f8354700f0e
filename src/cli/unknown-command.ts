import { KitError } from '../domain/errors.js';
import { nearest } from '../lib/nearest.js';

/** Words before the first flag: the command and its arguments. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return flag === -1 ? argv : argv.slice(0, flag);
}

/**
 * The refusal of a command line that names no command, or null. oclif itself would show the help of a topic and exit 0
 * when only the first word is known.
 */
export function unknownCommand(argv: readonly string[], commandIds: readonly string[]): KitError | null {
  const words = wordsOf(argv);
  if (words.length === 0) return null;
  const spoken = commandIds.map((id) => id.replaceAll(':', ' '));
  const prefixes = words.map((_word, index) => words.slice(0, index + 1).join(' '));
  if (prefixes.some((prefix) => spoken.includes(prefix))) return null;
  const isTopic = (text: string): boolean => spoken.some((id) => id.startsWith(`${text} `));
  if (isTopic(words.join(' '))) return null;
  const depth = prefixes.filter(isTopic).length + 1;
  const typed = words.slice(0, depth).join(' ');
  const meant = nearest(typed, new Set(spoken.map((id) => id.split(' ').slice(0, depth).join(' '))));
  const hint = meant === null ? 'Run `kit --help` to list the commands.' : `Did you mean \`kit ${meant}\`?`;
  return new KitError('KIT_USAGE', `there is no command \`kit ${typed}\``, { hint });
}
