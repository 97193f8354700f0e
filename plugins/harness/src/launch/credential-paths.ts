import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';

/** A file or folder that holds a login of the person who runs kit. */
export interface Login {
  /** Where it lies, links resolved. */
  readonly source: string;
  /** Below the HOME of the harness, in the words of the adapter: `.codex/auth.json`. */
  readonly inHome: string;
}

export type Logins =
  | { readonly ok: true; readonly logins: readonly Login[] }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Folders below HOME that a variable may have put elsewhere. A container knows nothing of that
 * variable.
 */
const MOVED: readonly (readonly [folder: string, variable: string])[] = [
  ['.local/share/', 'XDG_DATA_HOME'],
  ['.config/', 'XDG_CONFIG_HOME'],
];

/** `~/a/b` -> `a/b`; null for what does not lie below `~/`. */
export function belowHome(path: string): string | null {
  if (!path.startsWith('~/')) return null;
  const parts = path.slice(2).replace(/\/+$/, '').split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..') ? null : parts.join('/');
}

/** The directory that it starts from, and its place there. */
function placeOf(
  inHome: string,
  env: Readonly<Record<string, string>>,
): { readonly base: string; readonly rest: string } | null {
  for (const [folder, variable] of MOVED) {
    const moved = env[variable];
    if (inHome.startsWith(folder) && moved !== undefined && isAbsolute(moved))
      return { base: moved, rest: inHome.slice(folder.length) };
  }
  return env.HOME === undefined || !isAbsolute(env.HOME) ? null : { base: env.HOME, rest: inHome };
}

const isIn = (path: string, directory: string): boolean =>
  path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

/**
 * Finds what `credential_paths` of the active auth mode name; the first that is not to be had is
 * named. Nothing is opened: what a login holds is between the harness and its provider. `confine`:
 * the harness sees them through a mount, and a link out of the home must not show it another part
 * of the machine; a harness without a container reads them as who runs kit, wherever that person
 * has put them.
 */
export async function findLogins(
  paths: readonly string[],
  from: { readonly env: Readonly<Record<string, string>>; readonly confine: boolean },
): Promise<Logins> {
  const logins: Login[] = [];
  for (const path of paths) {
    const inHome = belowHome(path);
    const place = inHome === null ? null : placeOf(inHome, from.env);
    if (inHome === null || place === null)
      return { ok: false, path, problem: 'cannot be found, since HOME is not set' };
    const source = await realpath(join(place.base, place.rest)).catch(() => null);
    if (source === null) return { ok: false, path, problem: 'is not there' };
    if (from.confine && !isIn(source, await realpath(place.base)))
      return { ok: false, path, problem: 'is a link out of the home directory' };
    const info = await stat(source).catch(() => null);
    const need = info?.isDirectory() === true ? constants.R_OK | constants.X_OK : constants.R_OK;
    const isReadable = await access(source, need).then(
      () => info !== null && (info.isDirectory() || info.isFile()),
      () => false,
    );
    if (!isReadable) return { ok: false, path, problem: 'cannot be read' };
    logins.push({ source, inHome });
  }
  return { ok: true, logins: outermost(logins) };
}

/** A path that lies in another one comes along with it. */
function outermost(logins: readonly Login[]): readonly Login[] {
  return logins.filter(
    ({ inHome }, index) =>
      !logins.some((other, at) => inHome.startsWith(`${other.inHome}/`) || (other.inHome === inHome && at < index)),
  );
}

/**
 * Directories between the home and the logins, outermost first: the harness may write beside its
 * login, though never to it.
 */
export function foldersOf(logins: readonly Login[]): readonly string[] {
  const folders = logins.flatMap(({ inHome }) => {
    const parts = inHome.split('/').slice(0, -1);
    return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)].sort((a, b) => a.split('/').length - b.split('/').length);
}

/** What a person is told who has not logged in. */
export function loginHint(of: {
  readonly program: string;
  readonly mode: string;
  readonly modes: readonly string[];
}): string {
  const other =
    of.modes.includes('api_key') && of.mode !== 'api_key'
      ? ', or set `auth_mode: api_key` in its `executor.config`'
      : '';
  return `Log in with \`${of.program}\` once as the user who runs kit (\`kit adapters list\` shows whether it is installed)${other}.`;
}
