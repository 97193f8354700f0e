import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import {
  KIT,
  type KitCall,
  type KitHome,
  type KitResult,
  type KitRun,
  linesOf,
  makeHome,
  runKit,
  runKitHere,
} from '../support/kit-process.js';

/**
 * A home, a folder for temporary files and a place for workspaces of one test or file; nothing is
 * shared with the machine.
 */
export interface World {
  readonly base: string;
  readonly home: KitHome;
  /** TMPDIR of every kit of this world. */
  readonly temp: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes files below `base/<name>`; gives the directory. */
  files(name: string, files: Readonly<Record<string, string | Uint8Array>>): string;
  kit(argv: readonly string[], run?: KitRun): Promise<KitResult>;
  /** The same in the process of the test: for what starts nothing that lasts. */
  here(argv: readonly string[], run?: KitCall): Promise<KitResult>;
  /** A kit that the test talks to while it runs. */
  start(argv: readonly string[], run?: KitRun): LiveKit;
  /**
   * Entries of the folder for temporary files, worktrees, and processes that were started below
   * this world. Empty = nothing left behind.
   */
  leftovers(): readonly string[];
  dispose(): Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const base = realpathSync(await mkdtemp(join(tmpdir(), 'kit-e2e-')));
  const home = await makeHome();
  const temp = join(base, 'temp');
  mkdirSync(temp);
  const env = {
    ...home.env,
    TMPDIR: temp,
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const live = new Set<LiveKit>();
  return {
    base,
    home,
    temp,
    env,
    files: (name, files) => {
      const root = join(base, name);
      mkdirSync(root, { recursive: true });
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
      return root;
    },
    kit: (argv, run = {}) => runKit(argv, { cwd: base, ...run, env: { ...env, ...run.env } }),
    here: (argv, run = {}) => runKitHere(argv, { cwd: base, ...run, env: { ...env, ...run.env } }),
    start: (argv, run = {}) => {
      const started = startKit(argv, { cwd: base, ...run, env: { ...env, ...run.env } });
      live.add(started);
      return started;
    },
    // npm keeps a cache of compiled code there, whoever starts it.
    leftovers: () => [
      ...readdirSync(temp).filter((name) => name !== 'node-compile-cache'),
      ...worktreesIn(home.path),
      ...processesOf(temp),
    ],
    dispose: async () => {
      for (const one of live) {
        one.child.kill('SIGKILL');
        await one.ended;
      }
      await rm(base, { recursive: true, force: true });
      await home.remove();
    },
  };
}

/** Worktrees of every store of a home. */
function worktreesIn(home: string): readonly string[] {
  const stores = join(home, '.local/state/kit/worktrees');
  if (!existsSync(stores)) return [];
  return readdirSync(stores).flatMap((store) =>
    readdirSync(join(stores, store)).filter((name) => name.startsWith('kit-worktree-')),
  );
}

/**
 * `<pid> <command line>` of every process whose environment names this folder for temporary files.
 */
export function processesOf(temp: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${temp}`)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`];
      } catch {
        return []; // It ended, or is another user's.
      }
    });
}

/**
 * Resolves when a process of this folder executes exactly `command`. A shell whose script names the
 * command does not count: it may not have come to that line yet.
 */
export async function untilExecuted(temp: string, command: string): Promise<void> {
  const commands = (): readonly string[] => processesOf(temp).map((line) => line.replace(/^\d+ /, ''));
  await expect.poll(commands).toContain(command);
}

/** A kit with open pipes. */
export interface LiveKit {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<KitResult>;
  /** Resolves with the first match in stdout or stderr. Rejects when kit ends without one. */
  sees(pattern: RegExp): Promise<RegExpMatchArray>;
}

function startKit(argv: readonly string[], run: KitRun & { readonly env: NodeJS.ProcessEnv }): LiveKit {
  const child = spawn(process.execPath, [run.program ?? KIT, ...argv], {
    env: run.env,
    cwd: run.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const read = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      read[name] += text;
      for (const watch of watchers) watch();
    });
  }
  child.stdin.on('error', () => {});
  if (run.stdin !== undefined) child.stdin.end(run.stdin);
  const ended = new Promise<KitResult>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => {
      resolve({ code, signal, ...read, lines: () => linesOf(read.stdout) });
    });
  });
  return {
    child,
    stdout: () => read.stdout,
    stderr: () => read.stderr,
    ended,
    sees: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const match = pattern.exec(read.stderr) ?? pattern.exec(read.stdout);
          if (match === null) return;
          watchers.delete(watch);
          resolve(match);
        };
        watchers.add(watch);
        ended.then(
          (result) =>
            reject(
              new Error(
                `kit ended with ${result.code} and said nothing like ${pattern}:\n${result.stderr}${result.stdout}`,
              ),
            ),
          reject,
        );
        watch();
      }),
  };
}

/** The last line of `--json`. */
export const lastOf = (result: KitResult): Record<string, unknown> => result.lines().at(-1) ?? {};

/** Types and payloads of the events that `--json` printed. */
export const eventsOf = (
  result: KitResult,
): readonly { readonly type: unknown; readonly payload: Record<string, unknown>; readonly agent: unknown }[] =>
  result
    .lines()
    .filter((line) => line.type === 'event')
    .map((line) => ({ type: line.event_type, payload: line.payload as Record<string, unknown>, agent: line.agent_id }));
