import { readFile, stat } from 'node:fs';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { runProgram } from '../run-program.js';

/** No call may hang for ever on a filter, a lock or a prompt. */
const GIT_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * No hook runs, nothing is written in passing (index refresh, maintenance, file monitor), no
 * submodule is touched, and paths in administrative files are absolute, whatever the user's
 * configuration says. What a file holds is looked at whenever its times say that it may differ, and
 * text of any length is text: a configuration hides no change.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.ignoreStat=false',
  'core.checkStat=default',
  'core.bigFileThreshold=512m',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'color.ui=false',
  'worktree.useRelativePaths=false',
].flatMap((setting) => ['-c', setting]);

export interface GitCall {
  readonly cwd: string;
  /** Only `GIT_*` variables of kit's own; the user's never reach git. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Of either stream; with more the call fails. */
  readonly maxBytes?: number;
  /** `latin1`: each byte of what it says is one character. Default utf8. */
  readonly encoding?: 'latin1';
  /** `.git` of all worktrees, where the caller knows it: its file tells what else git is asked. */
  readonly commonDir?: string;
}

export interface GitOutput {
  /** -1 when git was killed by a signal, by the time limit, or because it said too much. */
  readonly exitCode: number;
  /** It said more than it may. */
  readonly isTooLong: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  /** Throws KIT_SANDBOX_UNAVAILABLE when there is no git; any exit code is an answer. */
  call(args: readonly string[], call: GitCall): Promise<GitOutput>;
  /** stdout of a call that must succeed; else KIT_SANDBOX_UNAVAILABLE with git's own words. */
  expect(args: readonly string[], call: GitCall): Promise<string>;
}

/**
 * The only way to the user's repositories. Who can write into one, an agent or whoever made it, may
 * not choose what kit runs: a filter or a merge driver counts where the user's or the system's
 * configuration names it, as Git LFS is set up. One of the repository itself (`.git/config`, what
 * it includes, `config.worktree`) is not run: a file that asks for such a filter is refused, and
 * what such a driver would merge is a conflict. Asked before each call that could run one.
 *
 * @param env what the user's git may see (PATH, HOME, ...); every `GIT_*` in it is dropped
 */
export function createGit(env: Readonly<Record<string, string>>, gitPath = 'git'): Git {
  const clean = cleanEnvironment(env);
  const run = (args: readonly string[], request: GitCall): Promise<GitOutput> =>
    runGit(gitPath, args, { ...request, env: { ...clean, ...request.env } });
  const call = (args: readonly string[], request: GitCall): Promise<GitOutput> =>
    runsNothing(args) ? run(args, request) : runChecked(args, request);
  const runChecked = async (args: readonly string[], request: GitCall): Promise<GitOutput> => {
    if (await namesNothing(request.commonDir)) return run(args, request);
    const listed = await run(LIST_PROGRAMS, { ...request, stdin: '' });
    // 1: there is none.
    if (listed.exitCode !== 0 && listed.exitCode !== 1) return listed;
    const { settings, filters } = withoutOwnPrograms(listed.stdout);
    const output = await run(args, { ...request, env: { ...request.env, ...asEnvironment(settings) } });
    const { exitCode, stderr } = output;
    const refused = filters.find((name) => exitCode !== 0 && hasFailed(stderr, name));
    if (refused !== undefined) throw ownFilter(refused);
    return output;
  };
  const expect = async (args: readonly string[], request: GitCall): Promise<string> =>
    stdoutOf(args, await call(args, request));
  return { call, expect };
}

/** What a call said that must have succeeded; else KIT_SANDBOX_UNAVAILABLE with git's own words. */
export function stdoutOf(args: readonly string[], output: GitOutput): string {
  if (output.exitCode === 0) return output.stdout;
  throw new KitError('KIT_SANDBOX_UNAVAILABLE', `git ${args[0] ?? ''} failed: ${lastLine(output.stderr)}`, {
    hint: 'Run the git command of the message by hand and fix what it reports.',
    data: { args, exit_code: output.exitCode },
  });
}

function cleanEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_LITERAL_PATHSPECS: '0',
    // What a partial clone lacks is not fetched in passing: a remote names programs as well. Git
    // before 2.45 knows the second alone: no protocol is allowed.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    // An object is what its id says: with `git replace` an agent would have people sign one text,
    // and a branch made of another.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** They read no file of the tree through a filter, write none, and merge nothing. */
const RUNS_NOTHING = new Set(
  'cat-file check-ref-format commit-tree diff-tree hash-object ls-files ls-tree read-tree rev-parse show-ref update-ref write-tree'.split(
    ' ',
  ),
);
/** Whether a file of the index differs may need its content, as a filter gives it. */
const READS_FILES = '--modified';
const runsNothing = (args: readonly string[]): boolean =>
  RUNS_NOTHING.has(commandOf(args)) && !args.includes(READS_FILES);
const commandOf = (args: readonly string[]): string => args.find((arg) => !arg.startsWith('-')) ?? '';

/** Larger configurations are left to git. */
const MAX_READ_BYTES = 256 * 1024;
/** The sections that matter, and what leads to other files. */
const TELLING = /\[\s*(?:filter|merge|include)|worktreeconfig/i;

/** Of most repositories this is so, and spares a process. */
const namesNothing = (commonDir: string | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    if (commonDir === undefined) return resolve(false);
    const file = join(commonDir, 'config');
    // With callbacks it is one promise; it stands before most calls.
    stat(file, (absent, info) => {
      if (absent !== null || !info.isFile() || info.size > MAX_READ_BYTES) return resolve(false);
      readFile(file, 'latin1', (failure, text) => resolve(failure === null && !TELLING.test(text)));
    });
  });

const LIST_PROGRAMS = [
  'config',
  '--null',
  '--show-scope',
  '--get-regexp',
  '^(filter|merge)[.].*[.](clean|smudge|process|driver)$',
];

interface Settings {
  /** Key and value; they win over each configuration. */
  readonly settings: readonly (readonly [string, string])[];
  /** Filters whose programs are not the user's. */
  readonly filters: readonly string[];
}

/** @param listed `<scope>\0<key>\n<value>\0` of each value, the one that counts last */
function withoutOwnPrograms(listed: string): Settings {
  const users = new Map<string, string>();
  const own = new Map<string, string>();
  const fields = listed.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = (fields[at + 1] ?? '').split('\n');
    (fields[at] === 'system' || fields[at] === 'global' ? users : own).set(key, value.join('\n'));
  }
  const changed = [...own].filter(([key, value]) => users.get(key) !== value).map(([key]) => key);
  const filters = changed.filter((key) => key.startsWith('filter.')).map((key) => key.slice(0, key.lastIndexOf('.')));
  return {
    settings: [
      // No program and `false` fail where they are asked for; an empty driver would be a merge.
      ...changed.map((key) => [key, users.get(key) ?? (key.startsWith('merge.') ? 'false' : '')] as const),
      ...filters.map((section) => [`${section}.required`, 'true'] as const),
    ],
    filters: filters.map((section) => section.slice('filter.'.length)),
  };
}

/** Unlike `-c key=value` it takes each key; a program that git starts of its own gets it too. */
const asEnvironment = (settings: Settings['settings']): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

const hasFailed = (stderr: string, filter: string): boolean =>
  stderr.includes(`filter '${filter}' failed`) || stderr.includes(`filter ${filter} failed`);

function ownFilter(name: string): KitError {
  const shown = /^[\w.-]{1,60}$/.test(name) ? name : '<name>';
  return new KitError(
    'KIT_SANDBOX_UNAVAILABLE',
    `the repository's own configuration names the programs of the filter ${shown}, and kit runs only the user's`,
    {
      hint: `Look at what it would run: git config --get-regexp '^filter[.]'. If you trust it, make it your own: git config --global filter.${shown}.clean '...', and smudge or process likewise.`,
    },
  );
}

async function runGit(gitPath: string, args: readonly string[], request: GitCall): Promise<GitOutput> {
  const { code, stdout, stderr, failure } = await runProgram([gitPath, '--no-pager', ...SETTINGS, ...args], {
    cwd: request.cwd,
    env: { ...request.env },
    timeoutMs: GIT_TIMEOUT_MS,
    maxBytes: request.maxBytes ?? MAX_OUTPUT_BYTES,
    ...(request.encoding === undefined ? {} : { encoding: request.encoding }),
    ...(request.stdin === undefined ? {} : { input: request.stdin }),
  });
  if (failure?.isAbsent === true) throw noGit(failure.cause);
  const said = failure !== null && stderr === '' ? failure.message : stderr;
  return { exitCode: code ?? -1, isTooLong: failure?.isTooLong ?? false, stdout, stderr: said };
}

function noGit(cause: unknown): KitError {
  return new KitError('KIT_SANDBOX_UNAVAILABLE', 'git was not found on PATH', {
    hint: 'Install git and make sure that it is on PATH: harness agents work in git worktrees.',
    cause,
  });
}

/** The line that says what went wrong; git puts its advice after it, each line marked `hint:`. */
export function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  return lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? 'no message';
}
