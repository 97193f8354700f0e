import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { fieldsOf, maybeTextAt, textAt } from '../../lib/read-json.js';
import { userConfigDir } from '../settings.js';
import { writeUserFile } from '../user-config.js';

/** A token that this user keeps for one server. */
export interface KeptToken {
  readonly token: string;
  /** Whom it proved when it was kept. */
  readonly identity: string;
  /** ISO 8601. */
  readonly at: string;
  /** ISO 8601; null = nobody said when it ends. */
  readonly until: string | null;
}

export const tokensFile = (env: NodeJS.ProcessEnv): string => join(userConfigDir(env), 'servers.json');

/** Bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * By exact origin. Throws KIT_USAGE for a file that others can read or that holds no JSON; its text
 * is never told.
 */
export function keptTokens(env: NodeJS.ProcessEnv): Readonly<Record<string, KeptToken>> {
  const path = tokensFile(env);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return {};
  if (process.platform !== 'win32' && (stat.mode & OTHERS) !== 0)
    throw new KitError('KIT_USAGE', `others than you can read the tokens in ${path}`, {
      hint: `Run chmod 600 ${path}, and have the keys replaced if somebody may have read them.`,
    });
  const entries = Object.entries(fieldsOf(parsed(path))).flatMap(([origin, value]): [string, KeptToken][] => {
    const kept = fieldsOf(value);
    const token = maybeTextAt(kept, 'token');
    if (token === null) return [];
    const until = maybeTextAt(kept, 'until');
    return [[origin, { token, identity: textAt(kept, 'identity'), at: textAt(kept, 'at'), until }]];
  });
  return Object.fromEntries(entries);
}

/** Never with the parser's own error: it can quote what it was given. */
function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    throw new KitError('KIT_USAGE', `${path} cannot be read`, { hint: 'Remove the file, and sign in again.' });
  }
}

/** Null: nothing is kept for exactly this origin. */
export function keptToken(origin: string, env: NodeJS.ProcessEnv): string | null {
  const kept = keptTokens(env);
  return Object.hasOwn(kept, origin) ? (kept[origin]?.token ?? null) : null;
}

/** Null takes it away; false = there was none. Throws KIT_STORE_UNAVAILABLE. */
export function keepToken(origin: string, token: KeptToken | null, env: NodeJS.ProcessEnv): boolean {
  const { [origin]: before, ...rest } = keptTokens(env);
  if (token === null && before === undefined) return false;
  writeUserFile(tokensFile(env), token === null ? rest : { ...rest, [origin]: token });
  return true;
}
