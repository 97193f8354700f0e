import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fitsWildcard, isObject, type Json } from '@kit-run/kit/plugin';
import { belowHome } from '../launch/credential-paths.js';
import type { AdapterGate } from './gate-spec.js';

/**
 * Why the settings of the user do not go together with the gate; null = they do. A tool that they
 * allow would be let through where the hook fails, and hooks that are off ask nobody.
 */
export async function settingsProblem(
  { userSettings, tools }: AdapterGate,
  home: string | undefined,
): Promise<string | null> {
  const below = userSettings === null ? null : belowHome(userSettings);
  if (below === null || home === undefined) return null;
  const text = await readFile(join(home, below), 'utf8').catch(() => null);
  const settings = text === null ? null : parse(text);
  if (settings === null) return text === null ? null : `${userSettings} is not JSON`;
  if (!isObject(settings)) return null;
  if (settings.disableAllHooks === true) return `${userSettings} switches hooks off (disableAllHooks)`;
  const permissions = isObject(settings.permissions) ? settings.permissions.allow : undefined;
  const allowed = Array.isArray(permissions) ? permissions.filter((entry) => typeof entry === 'string') : [];
  const gated = allowed.find((entry) => {
    const name = entry.replace(/\(.*/s, '');
    const tool = tools.find((one) => fitsWildcard(one.name, name) || fitsWildcard(name, one.name));
    return tool === undefined || (tool.kind !== 'read' && tool.kind !== 'inner');
  });
  return gated === undefined ? null : `${userSettings} allows ${gated.slice(0, 100)} (permissions.allow)`;
}

function parse(text: string): Json | null {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}
