import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startServe } from './http/serve-process.js';
import type { KitHome } from './kit-process.js';
import { parkedWorkspace } from './parked-workspace.js';
import { processesWith } from './processes.js';
import { createRepository, type TestRepository } from './repository.js';

/** Many runs that wait for people at a call of their harness, and what became of them. */
export interface ParkedCalls {
  readonly runs: number;
  readonly slots: number;
  readonly parkedMs: number;
  /** Processes that were left of all sessions when every run waited; the server is none of them. */
  readonly processes: number;
  /** What the state directory grew by, closed, a run. */
  readonly storeBytes: number;
  /** What the folder for worktrees grew by, a run. */
  readonly worktreeBytes: number;
  /** From the first of all decisions, which are sent at once, to the end of the last run. */
  readonly decidedMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Calls that were made, and runs whose call was made more than once. */
  readonly made: number;
  readonly twice: number;
  /** Most calls that were under way at the same time. */
  readonly atOnce: number;
}

const KEYS = { DANA_KEY: 'the-long-key-of-dana', ANN_KEY: 'the-long-key-of-ann' };

/** Bytes of all files below a folder. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Ids of processes that this one has started and that live. */
const childrenOf = (parent: number): readonly number[] =>
  processesWith('').filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });

/**
 * Starts runs of one agent at a server, whose program asks for one command each and is gone when
 * all of them wait. The server ends and another one starts; each call is approved, all at once, and
 * the runs go on within its slots. Linux alone.
 */
export async function measureParkedCalls(
  home: KitHome,
  { runs, slots, say = () => {} }: { runs: number; slots: number; say?: (text: string) => void },
): Promise<ParkedCalls> {
  const repository = createRepository({});
  try {
    return await measure(repository, { home, runs, slots, say });
  } finally {
    repository.dispose();
  }
}

interface Measured {
  readonly home: KitHome;
  readonly runs: number;
  readonly slots: number;
  readonly say: (text: string) => void;
}

async function measure(repository: TestRepository, { home, runs, slots, say }: Measured): Promise<ParkedCalls> {
  const { root, temp, base } = repository;
  const effects = join(base, 'effects');
  const command = `echo begun $PWD >> ${effects}; sleep 0.05; echo ended $PWD >> ${effects}`;
  for (const [path, text] of Object.entries(parkedWorkspace(slots, command))) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=first');
  const env = { ...home.env, ...KEYS, TMPDIR: temp, KIT_WORKTREES_DIR: temp };

  let server = await startServe([root], env);
  const asked = (by: keyof typeof KEYS) => (path: string, body?: object) => ask(server.url, KEYS[by], { path, body });
  const [dana, ann] = [asked('DANA_KEY'), asked('ANN_KEY')];
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await server.ended;
  };
  try {
    await stop();
    const [emptyBytes, keptBytes] = [bytesOf(join(root, '.kit')), bytesOf(temp)];
    server = await startServe([root], env);
    const startedAt = performance.now();
    const ids: string[] = [];
    const submitters = Array.from({ length: slots }, async () => {
      while (ids.length < runs) {
        const at = ids.push('') - 1;
        ids[at] = await submit(dana);
        if (at % 100 === 99) say(`${at + 1} runs are submitted`);
      }
    });
    await Promise.all(submitters);
    await untilAll(dana, runs, ['deferred']);
    const parkedMs = performance.now() - startedAt;
    const processes = childrenOf(server.pid).length;
    await stop();
    const storeBytes = (bytesOf(join(root, '.kit')) - emptyBytes) / runs;
    const worktreeBytes = (bytesOf(temp) - keptBytes) / runs;
    const left = processes + processesWith(temp).length;
    say(`all wait; ${left} processes, ${Math.round(storeBytes)} bytes each`);

    server = await startServe([root], env);
    const items = await itemsOf(ann, runs);
    const decidedAt = performance.now();
    await Promise.all(items.map((item) => approve(ann, item)));
    say('all are decided');
    const statuses = await untilAll(dana, runs, ['completed', 'failed', 'stopped']);
    const decidedMs = performance.now() - decidedAt;
    return {
      ...{ runs, slots, parkedMs, processes: left, storeBytes, worktreeBytes, decidedMs, statuses },
      ...callsIn(readFileSync(effects, 'utf8')),
    };
  } finally {
    await stop();
  }
}

type Ask = (path: string, body?: object) => Promise<{ readonly status: number; readonly body: unknown }>;

async function ask(
  url: string,
  key: string,
  { path, body }: { readonly path: string; readonly body: object | undefined },
): ReturnType<Ask> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function submit(by: Ask): Promise<string> {
  for (;;) {
    const { status, body } = await by('/run/parked', { input: 'Do it.' });
    if (status < 300) return String((body as { readonly id?: unknown }).id);
    // Each slot is taken.
    if (status !== 429) throw new Error(`a run was refused with ${status}: ${JSON.stringify(body)}`);
    await pause(100);
  }
}

const PAGE = 1_000;

/** Each row of a list that is told in pages; `after` names the parameter that goes on after one. */
async function allOf<T extends { readonly id: string }>(by: Ask, path: string, after: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (;;) {
    const last = found.at(-1);
    const from = last === undefined ? '' : `&${after}=${encodeURIComponent(last.id)}`;
    const { status, body } = await by(`${path}limit=${PAGE}${from}`);
    if (status !== 200) throw new Error(`${path} is answered with ${status}: ${JSON.stringify(body)}`);
    const page = body as readonly T[];
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** Waits until every run stands at one of these; how many stand where. */
async function untilAll(by: Ask, runs: number, wanted: readonly string[]): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    const jobs = await allOf<{ readonly id: string; readonly status: string }>(by, '/jobs?', 'before');
    const counts: Record<string, number> = {};
    for (const { status } of jobs) counts[status] = (counts[status] ?? 0) + 1;
    const there = wanted.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
    if (there === runs) return counts;
    const lost = wanted.includes('failed') ? undefined : jobs.find(({ status }) => status === 'failed');
    if (lost !== undefined) throw new Error(`a run failed: ${JSON.stringify(lost)}`);
    await pause(250);
  }
}

async function itemsOf(by: Ask, runs: number): Promise<readonly string[]> {
  const items = await allOf<{ readonly id: string }>(by, '/review?kind=permission&status=pending&', 'after');
  if (items.length !== runs) throw new Error(`${runs} runs wait for ${items.length} decisions`);
  return items.map(({ id }) => id);
}

async function approve(by: Ask, item: string): Promise<void> {
  const { status, body } = await by(`/review/${encodeURIComponent(item)}/approve`, { comment: '' });
  if (status !== 200) throw new Error(`a decision was answered with ${status}: ${JSON.stringify(body)}`);
}

/** What the commands of the sessions wrote down. */
function callsIn(text: string): Pick<ParkedCalls, 'made' | 'twice' | 'atOnce'> {
  const begun = new Map<string, number>();
  let now = 0;
  let atOnce = 0;
  for (const [what, where = ''] of text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))) {
    now += what === 'begun' ? 1 : -1;
    atOnce = Math.max(atOnce, now);
    if (what === 'begun') begun.set(where, (begun.get(where) ?? 0) + 1);
  }
  const times = [...begun.values()];
  return { made: begun.size, twice: times.filter((count) => count > 1).length, atOnce };
}
