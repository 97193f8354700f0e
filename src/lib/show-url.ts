/** What stands where a part of a URL was taken out. */
const HIDDEN = '***';

/**
 * A URL for people: no user, no password, no values of its query, no fragment. Null for text that
 * is not a URL, and for one with an `@` in its path: that is a password with a `/` that nobody
 * encoded.
 */
export function shownUrl(text: string): string | null {
  const url = parsed(text);
  if (url === null) return null;
  // A token can stand as the name of a user too.
  const hasUser = url.username !== '' || url.password !== '';
  const query = [...new Set(url.searchParams.keys())].map((name) => `${name}=${HIDDEN}`).join('&');
  return `${url.protocol}//${hasUser ? `${HIDDEN}@` : ''}${url.host}${url.pathname}${query === '' ? '' : `?${query}`}`;
}

/** The server and database of a PostgreSQL URL; null for anything else. */
export function postgresLocation(text: string): string | null {
  const url = /^postgres(ql)?:\/\//.test(text) ? parsed(text) : null;
  if (url === null) return null;
  const host = url.searchParams.get('host') ?? url.host;
  return `postgres://${url.username === '' ? '' : `${url.username}@`}${host}${url.pathname}`;
}

/**
 * Text in which a URL with a password may stand: passwords are taken out. Null where a URL is all
 * of it and cannot be read.
 */
export function withoutPasswords(text: string): string | null {
  if (!text.includes('://')) return text;
  return /\s/.test(text.trim()) ? text.replaceAll(/\S+/g, withoutUser) : shownUrl(text.trim());
}

/** Up to the last `@` of a word: a password may hold one. */
function withoutUser(word: string): string {
  const [from, end] = [word.indexOf('://'), word.lastIndexOf('@')];
  return from < 0 || end < from ? word : `${word.slice(0, from)}://${HIDDEN}${word.slice(end)}`;
}

function parsed(text: string): URL | null {
  const url = URL.parse(text);
  return url === null || !text.includes('://') || url.pathname.includes('@') ? null : url;
}

/**
 * A path or an address without the slashes at its end. A pattern for it (`/\/+$/`) starts anew at
 * each slash of the text, and 100,000 of them take it ten seconds.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text.endsWith('/', end) && end > 0) end -= 1;
  return text.slice(0, end);
}
