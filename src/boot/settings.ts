import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { ProcessWorld } from '../cli/process-io.js';
import type { ProcessSettings, SetIdentity } from '../cli/process-settings.js';
import { KitError } from '../domain/errors.js';
import { findWorkspace } from './discovery/find-workspace.js';

/** What counts as a yes in a variable. */
export const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** A terminal that does not say how wide it is. */
const DEFAULT_COLUMNS = 100;

/**
 * A step of a workflow may work below the checkout; the service looks for files from the checkout.
 */
function repositoryDir(checkout: string | undefined, cwd: string): string {
  if (checkout === undefined || !isAbsolute(checkout)) return cwd;
  const below = relative(checkout, cwd);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? cwd : checkout;
}

/**
 * `~/.config/kit` (XDG_CONFIG_HOME): what a person decided about programs, and set for themselves,
 * lies outside any workspace (docs/design/journal.md#outside-the-workspace).
 */
export function userConfigDir(env: NodeJS.ProcessEnv): string {
  return env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'kit') : join(env.HOME || homedir(), '.config', 'kit');
}

/** Where files of this user lie: one of these is there, or the user has no home. */
export const homesOf = (env: NodeJS.ProcessEnv): readonly string[] => [
  ...(env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME] : []),
  env.HOME || homedir(),
];

/** What a person has set for every workspace of theirs. */
export interface UserConfig {
  readonly identity?: string;
}

export const userConfigFile = (env: NodeJS.ProcessEnv): string => join(userConfigDir(env), 'config.json');

/**
 * What this user has set; nothing where there is no file. Throws KIT_USAGE for one that cannot be
 * read: who acts is never guessed from half a file.
 */
export function readUserConfig(env: NodeJS.ProcessEnv): UserConfig {
  const path = userConfigFile(env);
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const identity: unknown = Reflect.get(Object(value), 'identity');
    return typeof identity === 'string' ? { identity } : {};
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new KitError('KIT_USAGE', `${path} cannot be read`, {
      cause,
      hint: 'Fix the file, or remove it and set what it held again with `kit config set`.',
    });
  }
}

/** The file is read when somebody asks who acts, and not before. */
function setIdentity(env: NodeJS.ProcessEnv): SetIdentity | null {
  if (isSet(env.KIT_IDENTITY)) return { identity: env.KIT_IDENTITY ?? '', from: 'KIT_IDENTITY' };
  const { identity } = readUserConfig(env);
  return identity === undefined ? null : { identity, from: 'kit config' };
}

/** What settings are read from; a stream is only asked whether it is a terminal. */
export interface SettingsSource extends Pick<ProcessWorld, 'env' | 'cwd' | 'stdinKind'> {
  readonly stdout: Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;
  readonly stderr: Partial<Pick<NodeJS.WriteStream, 'isTTY'>>;
}

/** Reads what commands may know of the process; the only reader of these variables. */
export function readSettings(world: SettingsSource): ProcessSettings {
  const { env, cwd, stdout, stderr, stdinKind } = world;
  return {
    verbose: isOn(env.KIT_VERBOSE),
    quiet: isOn(env.KIT_QUIET),
    traceParent: env.TRACEPARENT || null,
    workspace: env.KIT_WORKSPACE || null,
    server: env.KIT_SERVER || null,
    findWorkspace: () => findWorkspace({ cwd, home: env.HOME || homedir(), userId: process.getuid?.() ?? null }),
    identity: () => setIdentity(env),
    cwd,
    programPath: env.PATH ?? '',
    repositoryDir: repositoryDir(env.GITHUB_WORKSPACE, cwd),
    noColor: isSet(env.NO_COLOR) || !stdout.isTTY,
    ci: isSet(env.CI),
    isDumbTerminal: env.TERM === 'dumb',
    stdinIsTty: stdinKind === 'terminal',
    stdinIsInput: stdinKind === 'input',
    stdoutIsTty: stdout.isTTY === true,
    stdoutColumns: stdout.isTTY ? (stdout.columns ?? DEFAULT_COLUMNS) : null,
    stderrIsTty: stderr.isTTY === true,
  };
}
