import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PreferencesApp } from '../app/preferences-app.js';
import { KitError } from '../domain/errors.js';
import { readUserConfig, userConfigFile } from './settings.js';

/** Reads and writes what this user has set. */
export const createPreferences = (env: NodeJS.ProcessEnv): PreferencesApp => ({
  read: async () => ({ path: userConfigFile(env), values: { ...readUserConfig(env) } }),
  set: async (name, value) => {
    const { [name]: _, ...rest } = readUserConfig(env);
    writeUserFile(userConfigFile(env), value === null ? rest : { ...rest, [name]: value });
  },
});

/**
 * A whole file of JSON under its name or none, for this user alone. Throws KIT_STORE_UNAVAILABLE.
 */
export function writeUserFile(path: string, config: object): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (cause) {
    throw new KitError('KIT_STORE_UNAVAILABLE', `${path} cannot be written`, {
      cause,
      hint: 'Name a directory that you may write with XDG_CONFIG_HOME.',
    });
  } finally {
    rmSync(temporary, { force: true });
  }
}
