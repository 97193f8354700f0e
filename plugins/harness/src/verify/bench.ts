import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { Bench, Ended, RunOf } from './bench-port.js';
import { archetypeOf, remarkOf, topologyOf, workspaceOf } from './documents.js';
import type { ModelServer } from './model-server.js';
import type { VerifiedProgram } from './programs.js';
import { type Started, start } from './start.js';
import { teeOf } from './tee.js';

export interface BenchOf {
  readonly id: string;
  readonly program: VerifiedProgram;
  readonly server: ModelServer;
  /** Command line of this very kit: its Node, and its file. */
  readonly kit: readonly [string, string];
  /** What programs are found by. */
  readonly path: string;
}

/**
 * A repository, a workspace, a home and a state of its own, below the temporary directory; removed
 * by `close`. The program is started by kit itself, as a run of a user would start it.
 */
export async function openBench(of: BenchOf): Promise<Bench & { close(): Promise<void> }> {
  const base = await mkdtemp(join(tmpdir(), 'kit-verify-'));
  const [home, root] = [join(base, 'home'), join(base, 'work')];
  const env: Record<string, string> = {
    ...of.program.env(of.server.port),
    PATH: of.path,
    HOME: home,
    XDG_STATE_HOME: join(base, 'state'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    no_proxy: '127.0.0.1,localhost',
  };
  const git = (...args: readonly string[]) => start(['git', ...args], { cwd: root, env }).ended;
  await mkdir(root, { recursive: true });
  for (const [path, text] of Object.entries(of.program.home(of.server.port))) await put(join(home, path), text);
  await put(join(root, 'workspace.yaml'), JSON.stringify(workspaceOf()));
  await put(join(root, 'skills', 'remark.yaml'), JSON.stringify(remarkOf()));
  await put(join(root, 'a.txt'), 'a\n');
  await git('init', '--quiet', '--template=');
  const commit = async (...paths: readonly string[]): Promise<void> => {
    await git('add', '--force', ...paths);
    await git('-c', 'user.name=kit', '-c', 'user.email=kit@localhost', 'commit', '--quiet', '--message=more');
  };
  await commit('a.txt');
  const kit = (args: readonly string[], more: Readonly<Record<string, string>> = {}, stdin = ''): Started =>
    start([...of.kit, ...args], { cwd: root, env: { ...env, ...more }, stdin });
  const text = async (...args: readonly string[]): Promise<string> => (await kit(args).ended).stdout;
  let number = 0;
  /** What is handed to a program has to be approved. */
  const approve = async (): Promise<void> => {
    const shown = lastObject(await text('adapters', 'show', of.id, '--json'));
    await text('adapters', 'approve', of.id, '--fingerprint', String(shown?.fingerprint));
  };
  const endOf = async (started: Started): Promise<Ended> => {
    const { stdout, stderr } = await started.ended;
    const job = lastObject(stdout);
    if (typeof job?.job_id !== 'string') throw new Error(`kit run told no run: ${`${stdout}${stderr}`.slice(-600)}`);
    return endedOf(job.job_id, job);
  };
  const begin = async (task: string, { config, outputSchema, hasSkill, isTeed = false }: RunOf): Promise<Started> => {
    number += 1;
    const name = `case-${number}`;
    await put(
      join(root, 'archetypes', `${name}.yaml`),
      JSON.stringify(archetypeOf(of.id, { name, config, outputSchema, hasSkill })),
    );
    await put(join(root, 'topologies', `${name}.yaml`), JSON.stringify(topologyOf(name)));
    if (Array.isArray(config.env) && number === 1) await approve();
    const path = isTeed ? { PATH: await teeOf({ base, program: of.program.command, path: of.path }) } : {};
    // A task may be longer than an argument of a command line can be.
    return kit(['run', '.', name, '--input', '-', '--json'], path, task);
  };
  const openItem = async (run: string): Promise<JsonObject | null> => {
    const listed = lastObject(await text('review', 'list', '--json'));
    const items: readonly Json[] = Array.isArray(listed?.items) ? listed.items : [];
    return items.filter(isObject).find((one) => one.job_id === run || String(one.id).includes(run)) ?? null;
  };
  return {
    run: async (task, how) => endOf(await begin(task, how)),
    begin: async (task, how) => {
      const started = await begin(task, how);
      return {
        kill: started.kill,
        interrupt: started.interrupt,
        ended: () => endOf(started),
        gone: () => started.ended.then(() => undefined),
      };
    },
    newest: async () => {
      const listed = lastObject(await text('status', '--topology', `case-${number}`, '--json'));
      const [first]: readonly Json[] = Array.isArray(listed?.runs) ? listed.runs : [];
      return isObject(first) ? String(first.job_id) : '';
    },
    resume: (run) => endOf(kit(['run', `--resume=${run}`, '--json'])),
    item: openItem,
    decide: async (run, action, comment) => {
      const item = await openItem(run);
      const words = comment === undefined ? [] : ['--comment', comment];
      if (item !== null) await text('review', action, String(item.id), '--no-resume', '--as', 'verify', ...words);
      return endOf(kit(['run', `--resume=${run}`, '--json']));
    },
    diff: (run) => text('diff', run),
    events: async (run, type) =>
      (await text('logs', '--run-id', run, '--type', type, '--format', 'json'))
        .split('\n')
        .map((line) => lastObject(line))
        .filter((event) => event !== null),
    raw: async () => readFile(join(base, 'raw'), 'utf8').catch(() => ''),
    commit: async (files) => {
      for (const [path, content] of Object.entries(files)) await put(join(root, path), content);
      await commit(...Object.keys(files));
    },
    processes: () => processesOf(home),
    takeCount: () => of.server.takeCount(),
    hasHeard: (words) => of.server.hasHeard(words),
    whenHanging: () => of.server.whenHanging(),
    version: async () => {
      const { stdout } = await start([of.program.command, '--version'], { cwd: root, env }).ended;
      const [line = ''] = stdout.trim().split('\n');
      return line === '' ? null : line.slice(0, 100);
    },
    close: () => rm(base, { recursive: true, force: true }),
  };
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The last JSON object of an output: a document, or the last of its lines. */
function lastObject(text: string): JsonObject | null {
  for (const candidate of [text, text.trim().split('\n').at(-1) ?? '']) {
    try {
      const value: Json = JSON.parse(candidate);
      if (isObject(value)) return value;
    } catch {
      // The other way to read it follows.
    }
  }
  return null;
}

function endedOf(id: string, job: JsonObject): Ended {
  const text = (name: string): string => {
    const value = job[name] ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const count = (name: string): number | null => {
    const value = job[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    id,
    status: text('status'),
    output: text('output'),
    reason: `${text('reason')} ${text('error').slice(0, 200)}`.trim(),
    inputTokens: count('usage_input_tokens'),
    outputTokens: count('usage_output_tokens'),
    costUsd: count('usage_cost_usd'),
  };
}

/**
 * Ids of processes whose HOME is this one, which are those of the bench; null where the system does
 * not tell of them.
 */
async function processesOf(home: string): Promise<readonly number[] | null> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return null;
  const found: number[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const env = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    const state = env === '' ? '' : await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // One that has ended and that nobody has asked about is none.
    if (env.split('\0').includes(`HOME=${home}`) && !/\) Z /.test(state)) found.push(Number(name));
  }
  return found;
}
