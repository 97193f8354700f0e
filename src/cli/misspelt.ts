import { KitError } from '../domain/errors.js';
import { hintFor } from '../lib/nearest.js';

/** What of a command's definition its words are compared with. */
export interface KnownWords {
  readonly flags: Readonly<Record<string, { readonly options?: readonly string[]; readonly hidden?: boolean }>>;
  readonly args: Readonly<Record<string, { readonly options?: readonly string[] }>>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function unknownFlag(flags: readonly unknown[], known: KnownWords): KitError | null {
  const words = flags.filter((flag) => typeof flag === 'string');
  const [first] = words;
  if (first === undefined) return null;
  const names = Object.keys(known.flags).filter((name) => known.flags[name]?.hidden !== true);
  const word = first.replace(/^-+/, '').replace(/=.*$/s, '');
  const hint = hintFor(word, names, { prefix: '--', fallback: 'Run the command with --help to list its flags.' });
  return new KitError(
    'KIT_USAGE',
    words.length === 1 ? `there is no flag ${first}` : `there are no flags ${words.join(', ')}`,
    { hint },
  );
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

/**
 * The parser's refusal of a misspelt flag or value, with the word that was probably meant; every
 * other error as it is.
 */
export function withLikelyWord(error: unknown, known: KnownWords): unknown {
  if (!isObject(error) || !('parse' in error)) return error;
  const clear = Array.isArray(error.flags)
    ? unknownFlag(error.flags, known)
    : unknownValue(String(error.message), known);
  return clear ?? error;
}
