import { isAbsolute, relative, sep } from 'node:path';
import { isatty } from 'node:tty';
import type { ProcessSettings } from '../cli/kit-command.js';

/** What counts as a yes in a variable. */
export const isOn = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** A step of a workflow may work below the checkout; the service looks for files from the checkout. */
function repositoryDir(checkout: string | undefined, cwd: string): string {
  if (checkout === undefined || !isAbsolute(checkout)) return cwd;
  const below = relative(checkout, cwd);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? cwd : checkout;
}

/** Reads what commands may know of the process; the only reader of these variables. */
export function readSettings(env: NodeJS.ProcessEnv): ProcessSettings {
  const cwd = process.cwd();
  return {
    verbose: isOn(env.KIT_VERBOSE),
    quiet: isOn(env.KIT_QUIET),
    traceParent: env.TRACEPARENT || null,
    workspace: env.KIT_WORKSPACE || null,
    cwd,
    repositoryDir: repositoryDir(env.GITHUB_WORKSPACE, cwd),
    noColor: isSet(env.NO_COLOR) || !isatty(1),
    ci: isSet(env.CI),
    isDumbTerminal: env.TERM === 'dumb',
    stdinIsTty: isatty(0),
    stdoutIsTty: isatty(1),
    stderrIsTty: isatty(2),
  };
}
