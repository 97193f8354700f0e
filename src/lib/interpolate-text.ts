/** Value of a name, or undefined when nothing defines it. */
export type Lookup = (name: string) => string | undefined;

/** One `${NAME}` or `${NAME:-default}` in a text. */
export interface Reference {
  readonly name: string;
  readonly fallback: string | null;
}

export interface Interpolated {
  readonly text: string;
  /** Every reference met, in order, whether it resolved or not. */
  readonly references: readonly Reference[];
  /** Names that nothing defines and that carry no default; their text is left as it was. */
  readonly unresolved: readonly string[];
}

/** `$${` is the escape of a literal `${`; a name is anything up to the closing brace. */
const REFERENCE = /(\$?)\$\{([^}]*)\}/g;

/**
 * A text up to its last brace. Behind it nothing is closed, and a pattern would look for the end at
 * each beginning.
 */
export const upToLastBrace = (text: string): string => text.slice(0, text.lastIndexOf('}') + 1);

function referenceOf(body: string): Reference {
  const at = body.indexOf(':-');
  return at < 0 ? { name: body, fallback: null } : { name: body.slice(0, at), fallback: body.slice(at + 2) };
}

/**
 * Expands `${NAME}`, `${NAME:-default}` and the escape `$${NAME}`. A default holds for a name that
 * is unset or empty, as in a shell. Single pass: a value that itself contains `${...}` is never
 * expanded again.
 */
export function interpolateText(text: string, lookup: Lookup): Interpolated {
  if (!text.includes('${')) return { text, references: [], unresolved: [] };
  const references: Reference[] = [];
  const unresolved: string[] = [];
  const closed = upToLastBrace(text);
  const out = closed.replace(REFERENCE, (whole: string, dollar: string, body: string) => {
    if (dollar !== '') return whole.slice(1);
    const reference = referenceOf(body);
    references.push(reference);
    const value = lookup(reference.name);
    if (reference.fallback !== null) return value === undefined || value === '' ? reference.fallback : value;
    if (value !== undefined) return value;
    unresolved.push(reference.name);
    return whole;
  });
  return { text: out + text.slice(closed.length), references, unresolved };
}
