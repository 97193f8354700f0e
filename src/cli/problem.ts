import { ERROR_REGISTRY } from '../domain/error-registry.js';
import { asTooManyFiles, isKitError, messageOf } from '../domain/errors.js';
import { isObject } from '../lib/json.js';
import { visibleLines } from '../lib/shell-word.js';

/** An error as CLI and HTTP show it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly exit: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Stack and causes; shown with KIT_VERBOSE alone. */
  readonly trace: string;
  /** True for a bare `exit(n)`: it has nothing to say. */
  readonly silent: boolean;
}

/**
 * oclif marks the errors that it raises itself: wrong flags, missing arguments, unknown commands.
 */
function oclifExit(error: unknown): number | null {
  if (!isObject(error) || !isObject(error.oclif)) return null;
  return typeof error.oclif.exit === 'number' ? error.oclif.exit : null;
}

const MAX_CAUSES = 10;

function traceOf(error: unknown): string {
  const parts: string[] = [];
  let current = error;
  while (current !== undefined && current !== null && parts.length < MAX_CAUSES) {
    parts.push(current instanceof Error ? (current.stack ?? current.message) : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('\nCaused by: ');
}

/** What any thrown value means to a person and to the exit code. Never holds argv. */
export function describeError(thrown: unknown): Problem {
  const error = asTooManyFiles(thrown);
  const trace = traceOf(error);
  if (isKitError(error)) {
    return {
      code: error.code,
      message: error.message,
      hint: error.hint ?? null,
      exit: error.exitCode,
      data: error.data,
      trace,
      silent: false,
    };
  }
  const exit = oclifExit(error);
  if (exit === null) {
    const { hint } = ERROR_REGISTRY.KIT_INTERNAL;
    return {
      code: 'KIT_INTERNAL',
      message: messageOf(error),
      hint,
      exit: ERROR_REGISTRY.KIT_INTERNAL.exit,
      data: {},
      trace,
      silent: false,
    };
  }
  const silent = isObject(error) && error.code === 'EEXIT';
  return {
    code: 'KIT_USAGE',
    message: firstParagraph(messageOf(error)),
    hint: ERROR_REGISTRY.KIT_USAGE.hint,
    exit: exit || (silent ? 0 : 2),
    data: {},
    trace,
    silent,
  };
}

/** The parser appends its own "See more help" line, which the hint says better. */
const firstParagraph = (text: string): string => text.replace(/\n?See more help with --help$/, '').trim();

/** The last line of `--json`. */
export const toErrorLine = (problem: Problem): Readonly<Record<string, unknown>> => ({
  type: 'error',
  code: problem.code,
  message: problem.message,
  hint: problem.hint,
  exit: problem.exit,
  ...(Object.keys(problem.data).length === 0 ? {} : { data: problem.data }),
});

/**
 * Text for stderr. It may quote names of files, packages and words that strangers chose: whatever
 * steers a terminal is written out here, for all errors there are.
 */
export function renderError(problem: Problem, options: { readonly verbose: boolean }): string {
  const lines = [`error[${problem.code}]: ${problem.message}`];
  if (problem.hint !== null) lines.push(`  hint: ${problem.hint}`);
  if (options.verbose) lines.push(problem.trace);
  return `${visibleLines(lines.join('\n'))}\n`;
}
