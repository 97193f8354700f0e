import { CREDENTIAL_REFERENCE } from '../lib/credential-refs.js';
import { interpolateText } from '../lib/interpolate-text.js';

/** Where late templates find their values. */
export interface TemplateValues {
  /** `${NAME}`: the property map and the environment; undefined when nothing defines it. */
  readonly variable: (name: string) => string | undefined;
  /** `{credential.<ref>}`: resolved at the point of use. */
  readonly credential: (ref: string) => Promise<string>;
}

export type Rendered =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unresolved: readonly string[] };

/**
 * Renders a text that kept its references: environment of a command, headers, URLs. One pass: what
 * a value contains is never read as a template again, so a secret cannot pull in another one.
 */
export async function renderTemplate(text: string, values: TemplateValues): Promise<Rendered> {
  const unresolved: string[] = [];
  const literal = (piece: string): string => {
    const result = interpolateText(piece, values.variable);
    unresolved.push(...result.unresolved);
    return result.text;
  };
  let out = '';
  let from = 0;
  for (const match of text.matchAll(CREDENTIAL_REFERENCE)) {
    out += literal(text.slice(from, match.index)) + (await values.credential(match[1] ?? ''));
    from = match.index + match[0].length;
  }
  out += literal(text.slice(from));
  return unresolved.length === 0 ? { ok: true, text: out } : { ok: false, unresolved };
}
