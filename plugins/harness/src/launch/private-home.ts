import { lstat, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import type { PrivateHome } from '../adapter/spec.js';
import { belowHome } from './credential-paths.js';

export type OpenedHome =
  | { readonly ok: true; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * Makes the folder that a program has for one session, beside its worktree, and fills it anew: a
 * link to the login of who runs kit, and a copy of their settings without what one run would leave
 * there for the next. What the session itself keeps there stays.
 */
export async function openPrivateHome(
  { variable, from, link, config, without }: PrivateHome,
  at: { readonly directory: string | undefined; readonly env: Readonly<Record<string, string>> },
): Promise<OpenedHome> {
  const { directory, env } = at;
  if (directory === undefined) return { ok: false, message: `there is no place for its ${variable}` };
  const source = env[variable] ?? join(env.HOME ?? '', belowHome(from) ?? '');
  if (!isAbsolute(source)) return { ok: false, message: `${variable} and HOME are not set, or name no absolute path` };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of link) await linkTo(join(source, name), join(directory, name));
  if (config !== null) {
    const copied = await copySettings(join(source, config), { to: join(directory, config), without });
    if (!copied.ok) return copied;
  }
  return { ok: true, env: { [variable]: directory } };
}

/** One that is not there is not needed: who logs in otherwise has none. */
async function linkTo(source: string, target: string): Promise<void> {
  const real = await realpath(source).catch(() => null);
  if (await lstat(target).catch(() => null)) await rm(target);
  if (real !== null) await symlink(real, target);
}

async function copySettings(
  source: string,
  { to, without }: { readonly to: string; readonly without: readonly string[] },
): Promise<OpenedHome> {
  const text = await readFile(source, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '' : null,
  );
  if (text === null) return { ok: false, message: `${source} cannot be read` };
  try {
    const kept = Object.entries(parse(text)).filter(([name]) => !without.includes(name));
    await writeFile(to, stringify(Object.fromEntries(kept)), { mode: 0o600 });
    return { ok: true, env: {} };
  } catch (error) {
    // Its message shows lines of the file, which may hold keys.
    const line = error instanceof Error && 'line' in error ? `, line ${String(error.line)}` : '';
    return { ok: false, message: `${source} is not TOML${line}` };
  }
}
