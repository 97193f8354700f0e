import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KitError } from '../domain/errors.js';
import { MAKE_OAUTH_KEY, OAUTH_KEY_FORM, oauthKeys } from '../domain/oauth-key.js';
import type { Log } from '../domain/ports/system.js';
import type { VaultKeys } from '../host/vault.js';
import { vaultKeyOf } from '../host/vault-seal.js';
import { userConfigDir } from './settings.js';

/** Whose rows the keys are for. */
export interface KeyPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Id of the store. */
  readonly storeId: string;
  readonly backend: 'sqlite' | 'postgres';
  readonly log: Pick<Log, 'warn'>;
}

const KEY_BYTES = 32;
const OTHERS = 0o077;

/** `oauth-<store>.key` in the user's config directory: who can copy a store cannot read it. */
export const keyFileOf = ({ env, storeId }: Pick<KeyPlace, 'env' | 'storeId'>): string =>
  join(userConfigDir(env), `oauth-${storeId.replaceAll(/[^\w-]/g, '')}.key`);

/**
 * The keys of a store: `KIT_OAUTH_KEY` (one or two, the new one first), else those of a file that
 * is made on first use with mode 600. A file that is there still opens what it sealed. Throws
 * KIT_VAULT_KEY.
 */
export function readVaultKeys(place: KeyPlace): VaultKeys {
  const path = keyFileOf(place);
  const text = place.env.KIT_OAUTH_KEY;
  if (text !== undefined && text !== '') {
    const keys = oauthKeys(text);
    if (keys === null) throw malformed('KIT_OAUTH_KEY');
    return keysOf([...keys, ...(isThere(path) ? readFile(path) : [])], 'KIT_OAUTH_KEY');
  }
  if (place.backend === 'postgres')
    throw new KitError('KIT_VAULT_KEY', 'KIT_OAUTH_KEY is not set, and PostgreSQL is shared with other processes', {
      hint: MAKE_OAUTH_KEY,
    });
  if (!isThere(path)) {
    makeFile(path);
    place.log.warn('a key for tokens of logins was made; without it nobody can read them', { path });
  }
  return keysOf(readFile(path), path);
}

const keysOf = (keys: readonly Uint8Array[], source: string): VaultKeys => {
  const [first, ...others] = keys.map(vaultKeyOf);
  if (first === undefined) throw malformed(source);
  return { open: [first, ...others], source };
};

const malformed = (source: string): KitError =>
  new KitError('KIT_VAULT_KEY', `${source} is not a key: ${OAUTH_KEY_FORM}`, { hint: MAKE_OAUTH_KEY });

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readFile(path: string): readonly Uint8Array[] {
  const stat = statSync(path);
  if (process.platform !== 'win32' && (stat.mode & OTHERS) !== 0)
    throw new KitError('KIT_VAULT_KEY', `others than its owner can read the key ${path}`, {
      hint: `Run chmod 600 ${path}, and \`kit credentials rotate-key\` if somebody may have read it.`,
    });
  const keys = oauthKeys(readFileSync(path, 'utf8'));
  if (keys === null) throw malformed(path);
  return keys;
}

const newKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** A whole file under its name or none: of two processes that begin together one key wins. */
function makeFile(path: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writePrivate(temporary, newKey());
    linkSync(temporary, path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    throw unwritable(path, cause);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Puts a new key in front of the one in the file; null where `KIT_OAUTH_KEY` is in force, which is
 * rotated by who sets it. Both open rows until `dropOldKey`.
 */
export function rotateKeyFile(place: KeyPlace): { readonly dropOldKey: () => void } | null {
  if (place.env.KIT_OAUTH_KEY) return null;
  readVaultKeys(place);
  const path = keyFileOf(place);
  const [fresh, [old]] = [newKey(), readFileSync(path, 'utf8').trim().split(/[\s,]/)];
  replaceFile(path, `${fresh},${old ?? ''}`);
  return { dropOldKey: () => replaceFile(path, fresh) };
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writePrivate(temporary, text);
    renameSync(temporary, path);
  } catch (cause) {
    throw unwritable(path, cause);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

const unwritable = (path: string, cause: unknown): KitError =>
  new KitError('KIT_VAULT_KEY', `no key can be written at ${path}`, {
    cause,
    hint: 'Name a directory that you may write with XDG_CONFIG_HOME, or set KIT_OAUTH_KEY.',
  });
