import { isAbsolute, relative, sep } from 'node:path';
import type { ProcessSettings } from '../cli/kit-command.js';
import type { ProcessWorld } from '../cli/process-io.js';

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
    cwd,
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
