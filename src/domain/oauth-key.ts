/** `set`: one key, or two, the new one first. */
export type OauthKeyState = 'unset' | 'malformed' | 'set';

/** 32 bytes, as `openssl rand -base64 32` and `openssl rand -hex 32` print them. */
const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const MOST_KEYS = 2;
/** Far above two keys; what is longer is not looked at. */
const MAX_CHARS = 1_000;

/** The keys of a text, with a comma or blanks between them; null = it is malformed. */
export function oauthKeys(text: string): readonly Uint8Array[] | null {
  if (text.length > MAX_CHARS) return null;
  const parts = text.split(/[\s,]/).filter((part) => part !== '');
  if (parts.length === 0 || parts.length > MOST_KEYS) return null;
  const keys = parts.flatMap((part) =>
    HEX.test(part) ? [Buffer.from(part, 'hex')] : BASE64.test(part) ? [Buffer.from(part, 'base64')] : [],
  );
  return keys.length === parts.length ? keys : null;
}

/** What `KIT_OAUTH_KEY` holds. */
export function oauthKeyState(text: string | undefined): OauthKeyState {
  if (text === undefined || text === '') return 'unset';
  return oauthKeys(text) === null ? 'malformed' : 'set';
}

/** The line that makes one. */
export const NEW_OAUTH_KEY = 'export KIT_OAUTH_KEY="$(openssl rand -base64 32)"';

/** What to do where it is missing or none. */
export const MAKE_OAUTH_KEY = `Set it in every process: ${NEW_OAUTH_KEY}`;

/** What a key looks like; none is ever quoted. */
export const OAUTH_KEY_FORM = '32 bytes in base64, or 64 hex digits; two with a comma, the new one first';
