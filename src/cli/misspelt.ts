import { KitError } from '../domain/errors.js';
import { isObject } from '../lib/json.js';
import { hintFor, nearest } from '../lib/nearest.js';
import type { Parsed } from './server-place.js';

/** What of the definition of a flag its words are compared with. */
interface KnownFlag {
  readonly options?: readonly string[];
  readonly hidden?: boolean;
  readonly description?: string;
  readonly helpValue?: string | string[];
}

/** What of a command's definition its words are compared with. */
export interface KnownWords {
  /** The program and the id of the command, such as `kit new:trigger`. */
  readonly command: string;
  readonly flags: Readonly<Record<string, KnownFlag>>;
  readonly args: Readonly<Record<string, { readonly options?: readonly string[] }>>;
}

const typed = ({ command }: KnownWords): string => command.replaceAll(':', ' ');

function unknownFlag(flags: readonly unknown[], known: KnownWords): KitError | null {
  const words = flags.filter((flag) => typeof flag === 'string');
  const [first] = words;
  if (first === undefined) return null;
  const shown = Object.entries(known.flags).filter(([, flag]) => flag.hidden !== true);
  const names = shown.map(([name]) => name);
  const word = first.replace(/^-+/, '').replace(/=.*$/s, '').toLowerCase();
  const near = nearest(word, [...names, 'help']) ?? partOf(word, names);
  const variable = near === null ? variableOf(word) : null;
  const meant = near ?? describedBy(word, shown);
  return new KitError(
    'KIT_USAGE',
    words.length === 1 ? `there is no flag ${first}` : `there are no flags ${words.join(', ')}`,
    { hint: variable ?? (meant === null ? `\`${typed(known)} --help\` lists its flags.` : `Did you mean --${meant}?`) },
  );
}

/** What other programs of the kind have a flag for, and kit a variable. */
const VARIABLES: Readonly<Record<string, string>> = {
  model: 'KIT_MODEL',
  provider: 'KIT_PROVIDER',
  'state-dir': 'KIT_STATE_DIR',
  'store-url': 'KIT_STORE_URL',
};

const variableOf = (word: string): string | null =>
  Object.hasOwn(VARIABLES, word) ? `Set the variable ${VARIABLES[word]} in place of a flag.` : null;

/** The one flag that has the word as a part of its name: `url` of `base-url`. */
function partOf(word: string, names: readonly string[]): string | null {
  const [found, ...more] = names.filter((name) => name.split('-').includes(word));
  return more.length === 0 ? (found ?? null) : null;
}

/** The one flag that is described with the word: `cron` of `--schedule CRON`. */
function describedBy(word: string, flags: readonly (readonly [string, KnownFlag])[]): string | null {
  if (word.length < 3) return null;
  const wordsOf = ({ description = '', helpValue = '' }: KnownFlag): readonly string[] =>
    `${description} ${String(helpValue)}`.toLowerCase().split(/[^a-z]+/);
  const [found, ...more] = flags.filter(([, flag]) => wordsOf(flag).includes(word));
  return more.length === 0 ? (found?.[0] ?? null) : null;
}

/** Where what an argument names is listed. */
const LISTS: Readonly<Record<string, string>> = {
  run: '`kit status` lists the runs.',
  what: '`kit status` lists the runs.',
  supersedes: '`kit status` lists the runs.',
  item: '`kit review list` shows what waits for a decision.',
  gate: '`kit review list` shows what waits for a decision.',
  topology: '`kit validate --tree` lists the topologies.',
};

/** Where what an argument or a flag of this name names is listed; undefined = nowhere. */
const listHint = (name: string): string | undefined => (Object.hasOwn(LISTS, name) ? LISTS[name] : undefined);

/** The parser gives a list of definitions for missing arguments, and of words for surplus ones. */
function missingArgument(args: readonly unknown[], message: string, known: KnownWords): KitError | null {
  const [first] = args;
  if (!isObject(first) || typeof first.name !== 'string') return null;
  const name = first.name.toUpperCase();
  const options = Array.isArray(first.options) ? ` (${first.options.join('|')})` : '';
  const what = typeof first.description === 'string' ? `: ${first.description.replace(/\.$/, '')}` : '';
  return new KitError('KIT_USAGE', `\`${typed(known)}\` needs ${name}${options}${what}`, {
    // A flag that takes several values has taken the argument too.
    hint: message.includes('multiple values')
      ? `Write ${name} before the flags.`
      : (listHint(first.name) ?? `\`${typed(known)} --help\` shows an example.`),
  });
}

/**
 * The parser keeps what was typed in its sentence alone; the definition of the flag decides whether
 * that was read rightly.
 */
const BAD_VALUE = /^Expected (?:--([\w-]+)=)?(.*?) to be one of: /s;

function unknownValue(message: string, known: KnownWords): KitError | null {
  const [, flag, value] = BAD_VALUE.exec(message) ?? [];
  if (value === undefined) return null;
  const options =
    flag === undefined
      ? Object.values(known.args).find((arg) => arg.options !== undefined && !arg.options.includes(value))?.options
      : known.flags[flag]?.options;
  if (options === undefined) return null;
  const what = flag === undefined ? `there is no "${value}" here` : `--${flag} takes no "${value}"`;
  return new KitError('KIT_USAGE', what, {
    hint: hintFor(value, options, { fallback: `Known: ${options.join(', ')}.` }),
  });
}

/** The parser names the flag in its sentence alone. */
const NO_VALUE = /^Flag --([\w-]+) expects a value/;

function missingValue(message: string, known: KnownWords): KitError | null {
  const [, name = ''] = NO_VALUE.exec(message) ?? [];
  const flag = Object.hasOwn(known.flags, name) ? known.flags[name] : undefined;
  if (flag === undefined) return null;
  const value = String(flag.helpValue ?? 'VALUE');
  const what = flag.description === undefined ? '' : `: ${flag.description.replace(/\.$/, '')}`;
  return new KitError('KIT_USAGE', `--${name} needs a value${what}`, { hint: `Write --${name} ${value}.` });
}

/**
 * The parser's refusal of a misspelt flag or value, with the word that was probably meant, and of a
 * missing argument, with where to find it; every other error as it is.
 */
export function withLikelyWord(error: unknown, known: KnownWords): unknown {
  if (!isObject(error)) return error;
  // It is an error without what was parsed.
  if (!('parse' in error)) return missingValue(String(error.message), known) ?? error;
  if (Array.isArray(error.flags)) return unknownFlag(error.flags, known) ?? error;
  if (Array.isArray(error.args)) return missingArgument(error.args, String(error.message), known) ?? error;
  return unknownValue(String(error.message), known) ?? error;
}

/** Positionals that are text for people or models, of which each use case says what it takes. */
const FREE_TEXT: ReadonlySet<string> = new Set(['text', 'value', 'question', 'query', 'words']);
/** Flags that name something by its id or its place. */
const NAMING: readonly string[] = ['workspace', 'run-id', 'run', 'supersedes', 'gate', 'topology', 'agent'];

/**
 * An empty word in place of a name is mostly a variable that is not set. Taken as it stands, it
 * would mean the current directory, the newest run or nothing. Gives back what was parsed; throws
 * KIT_USAGE.
 */
export function withoutEmptyWords<P extends Parsed>(parsed: P): P {
  const { args, flags } = parsed;
  const arg = Object.keys(args).find((name) => args[name] === '' && !FREE_TEXT.has(name));
  if (arg !== undefined) throw emptyWord(arg, `the argument ${arg.toUpperCase()}`);
  const flag = NAMING.find((name) => flags[name] === '');
  if (flag !== undefined) throw emptyWord(flag === 'run-id' ? 'run' : flag, `the flag --${flag}`);
  return parsed;
}

function emptyWord(name: string, shown: string): KitError {
  const list = listHint(name);
  return new KitError('KIT_USAGE', `${shown} is empty`, {
    hint: `Write it, or set the variable that stands there.${list === undefined ? '' : ` ${list}`}`,
  });
}
