/** `set`: one key, or two, the new one first. */
export type OauthKeyState = 'unset' | 'malformed' | 'set';

/** 32 bytes, as `openssl rand -base64 32` and `openssl rand -hex 32` print them. */
const KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/;
const MOST_KEYS = 2;
/** Far above two keys; what is longer is not looked at. */
const MAX_CHARS = 1_000;

/** What `KIT_OAUTH_KEY` holds: keys with a comma or blanks between them. */
export function oauthKeyState(text: string | undefined): OauthKeyState {
  if (text === undefined || text === '') return 'unset';
  if (text.length > MAX_CHARS) return 'malformed';
  const keys = text.split(/[\s,]/).filter((part) => part !== '');
  return keys.length > 0 && keys.length <= MOST_KEYS && keys.every((key) => KEY.test(key)) ? 'set' : 'malformed';
}

/** What a key looks like; none is ever quoted. */
export const OAUTH_KEY_FORM = '32 bytes in base64, or 64 hex digits; two with a comma, the new one first';
