import { type Recognised, recognise, scriptOf } from './recognise.js';
import type { Framework } from './records.js';
import { lastPart, splitWords } from './words.js';

/** The command as it will be started. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null = nothing but lines and an exit code will be known. */
  readonly framework: Framework | null;
}

/** Where reports go: files of a private folder outside the repository. */
export interface ReportPlaces {
  /** The report itself. */
  readonly report: string;
  /** Caches that a runner would else write beside its packages. */
  readonly cache: string;
  /** URL of the reporter module for node --test. */
  readonly nodeReporter: string;
}

type Scripts = Readonly<Record<string, string>>;

/** `npm run a` inside of scripts.a may name another script; a chain longer than this is a loop. */
const MAX_SCRIPT_DEPTH = 5;

const withoutShell = (argv: readonly string[]): Invocation => ({ argv, env: {}, framework: null });

/** Arguments that make a runner write its report and say the rest as usual. */
function reportArgs(framework: Exclude<Framework, 'node:test'>, places: ReportPlaces): readonly string[] {
  switch (framework) {
    case 'vitest':
      // Nothing newer than 0.34: an unknown option ends Vitest before a single test.
      return ['--reporter=default', '--reporter=json', `--outputFile.json=${places.report}`];
    case 'jest':
      return ['--json', `--outputFile=${places.report}`, '--testLocationInResults'];
    case 'pytest':
      // xunit1 is the family that carries file and line.
      return [`--junitxml=${places.report}`, '-o', 'junit_family=xunit1', '-o', `cache_dir=${places.cache}`];
  }
}

const envOf = (framework: Framework): Readonly<Record<string, string>> =>
  framework === 'pytest' ? { PYTHONDONTWRITEBYTECODE: '1' } : {};

const valueCount = (words: readonly string[], option: string): number =>
  words.filter((word) => word === option || word.startsWith(`${option}=`)).length;

/**
 * Options for node --test. Reporters and destinations are paired by position, ours come first; a
 * reporter that the command names without a destination writes to stdout, as it would alone.
 */
function nodeTestOptions(words: readonly string[], places: ReportPlaces): readonly string[] {
  const reporters = valueCount(words, '--test-reporter');
  const destinations = valueCount(words, '--test-reporter-destination');
  const own = [`--test-reporter=${places.nodeReporter}`, `--test-reporter-destination=${places.report}`];
  if (reporters === 0) return [...own, '--test-reporter=spec', '--test-reporter-destination=stdout'];
  return destinations === 0 ? [...own, '--test-reporter-destination=stdout'] : own;
}

/** Puts the arguments before a `--`, after which everything belongs to the tests. */
function appended(words: readonly string[], args: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? [...words, ...args] : [...words.slice(0, end), ...args, ...words.slice(end)];
}

function direct(words: readonly string[], found: Recognised, places: ReportPlaces): Invocation {
  const { framework, at } = found;
  const env = envOf(framework);
  if (framework !== 'node:test') return { framework, env, argv: appended(words, reportArgs(framework, places)) };
  return {
    framework,
    env,
    argv: [...words.slice(0, at + 1), ...nodeTestOptions(words, places), ...words.slice(at + 1)],
  };
}

/**
 * The words of the runner that a script comes down to; null when it is anything but one direct call
 * at its end.
 */
function runnerWords(script: string, scripts: Scripts): readonly string[] | null {
  const text = scripts[script];
  const words = text === undefined ? null : lastPart(text);
  return words !== null && recognise(words) !== null ? words : null;
}

/**
 * `npm test`: the runner's arguments go through the script runner, those of node --test by
 * NODE_OPTIONS.
 */
function viaScript(
  words: readonly string[],
  call: { readonly manager: string; readonly script: string },
  scripts: Scripts,
  places: ReportPlaces,
): Invocation {
  const inner = runnerWords(call.script, scripts);
  const found = inner === null ? null : recognise(inner);
  if (inner === null || found === null) return withoutShell(words);
  const env = envOf(found.framework);
  if (found.framework === 'node:test') {
    // Every Node below npm sees these, and only one that runs tests uses them: a test file's
    // process reports to its runner.
    const options = nodeTestOptions(inner, places).map((option) => `"${option}"`);
    return { framework: found.framework, argv: words, env: { ...env, NODE_OPTIONS: options.join(' ') } };
  }
  const args = reportArgs(found.framework, places);
  const separator = call.manager === 'npm' && !words.includes('--') ? ['--'] : [];
  return { framework: found.framework, env, argv: [...words, ...separator, ...args] };
}

/** Follows `npm test` -> `npm run unit`: the arguments can only be passed to the innermost call. */
function innermost(words: readonly string[], scripts: Scripts, depth = 0): readonly string[] {
  const call = scriptOf(words);
  const text = call === null ? undefined : scripts[call.script];
  const next = text === undefined ? null : splitWords(text);
  if (
    next === null ||
    depth > MAX_SCRIPT_DEPTH ||
    scriptOf(next) === null ||
    scripts[scriptOf(next)?.script ?? ''] === undefined
  )
    return words;
  const extra = words.includes('--') ? words.slice(words.indexOf('--')) : [];
  return innermost([...next, ...extra], scripts, depth + 1);
}

/** Leading `NAME=value` words are the environment of the command, as in a shell. */
function splitAssignments(words: readonly string[]): {
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
} {
  const count = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  const pairs = words
    .slice(0, Math.max(count, 0))
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { env: Object.fromEntries(pairs), words: words.slice(Math.max(count, 0)) };
}

/**
 * Decides how a command is started, and whether its tests will be told apart. A line that needs a
 * shell is left to the shell.
 */
export function instrument(command: string | readonly string[], scripts: Scripts, places: ReportPlaces): Invocation {
  const all = typeof command === 'string' ? splitWords(command) : command;
  if (all === null) return withoutShell(['sh', '-c', String(command)]);
  const { env, words: given } = typeof command === 'string' ? splitAssignments(all) : { env: {}, words: all };
  const words = innermost(given, scripts);
  const call = scriptOf(words);
  const found = recognise(words);
  const made =
    call !== null && scripts[call.script] !== undefined
      ? viaScript(words, call, scripts, places)
      : found === null
        ? withoutShell(words)
        : direct(words, found, places);
  return { ...made, env: { ...env, ...made.env } };
}
