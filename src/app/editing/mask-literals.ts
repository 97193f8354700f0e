import type { Json } from '../../domain/json.js';
import { upToLastBrace } from '../../lib/interpolate-text.js';
import { MASK } from '../../lib/masker.js';

/**
 * Names whose values are secrets, as `kit` hides variables (docs/design/workspace.md#secret-names),
 * with the dashes that headers have.
 */
const SECRET_NAME =
  /(key|token|secret|password|passwd|passphrase|pwd|credential|auth|authorization|cookie|signature)s?([_-]|\d|$)/i;
/** Its value names a secret and is none. */
const NAMES_A_SECRET = /(_ref|_env|_path|_id|_url)$/i;
/**
 * `${VAR}` and `{credential.ref}`: they say where a secret is. What stands behind `:-` is a literal
 * again.
 */
const REFERENCE = /(\$\{[^}:$]*)(?::-([^}]*))?\}|\{credential\.[^}]*\}/g;
const PUNCTUATION = /^[^A-Za-z0-9]{1,2}$/;
const SCHEMES = /^(bearer|basic|token|digest|apikey)$/i;
const USERINFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/\s@]*)@/i;
const FLAG = /^--?[\w-]+$/;
const FLAG_WITH_VALUE = /^(--?[\w-]+=)(.+)$/s;
/** What services put before their keys. */
const KEY_FORMS = /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AKIA|ASIA|eyJ)[-_A-Za-z0-9.]{12,}/g;

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !NAMES_A_SECRET.test(name);

/** Everything that is neither a reference nor the name of a scheme. */
function withoutLiterals(text: string): string {
  let out = '';
  let from = 0;
  const hide = (part: string): string =>
    part.replace(/[^\s]+/g, (word) => (SCHEMES.test(word) || PUNCTUATION.test(word) ? word : MASK));
  for (const found of upToLastBrace(text).matchAll(REFERENCE)) {
    const [whole, variable = '', fallback = ''] = found;
    out += hide(text.slice(from, found.index)) + (fallback === '' ? whole : `${variable}:-${MASK}}`);
    from = found.index + whole.length;
  }
  return out + hide(text.slice(from));
}

function maskedUrl(text: string): string {
  const noUser = text.replace(USERINFO, (_whole, scheme: string, user: string) => `${scheme}${withoutLiterals(user)}@`);
  return noUser.replace(/([?&;])([^?=&;#\s]+)=([^&;#\s]*)/g, (whole, mark: string, name: string, value: string) =>
    isSecretName(name) ? `${mark}${name}=${withoutLiterals(value)}` : whole,
  );
}

const maskedText = (name: string, text: string): string =>
  isSecretName(name) ? withoutLiterals(text) : maskedUrl(text).replace(KEY_FORMS, MASK);

/** A command line: `--token=x`, and the word behind `--token`. */
function maskedItem(name: string, items: readonly Json[], at: number): Json {
  const [item = null, before] = [items[at], items[at - 1]];
  if (typeof item !== 'string') return maskLiterals(item, name);
  if (typeof before === 'string' && FLAG.test(before) && isSecretName(before)) return withoutLiterals(item);
  const [, flag, value] = FLAG_WITH_VALUE.exec(item) ?? [];
  return flag !== undefined && value !== undefined && isSecretName(flag.slice(0, -1))
    ? flag + withoutLiterals(value)
    : maskedText(name, item);
}

/**
 * A value as it may be shown: a literal under a name that says secret, in a URL's user part or
 * query, behind a flag of a command line, or in the form that services give their keys, becomes the
 * mask. `${VAR}` and references stay text. `name`: of the member that holds it.
 */
export function maskLiterals(value: Json, name = ''): Json {
  if (typeof value === 'string') return maskedText(name, value);
  if (Array.isArray(value)) return value.map((_, at) => maskedItem(name, value, at));
  if (typeof value !== 'object' || value === null)
    return isSecretName(name) && typeof value === 'number' ? MASK : value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskLiterals(member, key)]));
}

/** A mask that came back: writing it would destroy what it hides. */
export function holdsMask(value: Json): boolean {
  if (typeof value === 'string') return value.includes(MASK);
  return typeof value === 'object' && value !== null && Object.values(value).some((member: Json) => holdsMask(member));
}
