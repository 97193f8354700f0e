import { isatty } from 'node:tty';
import type { ProcessSettings } from '../cli/kit-command.js';

const isOn = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** Reads what commands may know of the process; the only reader of these variables. */
export function readSettings(env: NodeJS.ProcessEnv): ProcessSettings {
  return {
    verbose: isOn(env.KIT_VERBOSE),
    quiet: isOn(env.KIT_QUIET),
    workspace: env.KIT_WORKSPACE || null,
    cwd: process.cwd(),
    noColor: isSet(env.NO_COLOR) || !isatty(1),
    ci: isSet(env.CI),
    isDumbTerminal: env.TERM === 'dumb',
    stdinIsTty: isatty(0),
    stdoutIsTty: isatty(1),
    stderrIsTty: isatty(2),
  };
}
