import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '@kit-run/kit/plugin';
import { isObject } from '../adapter/spec.js';
import type { Bench, Ended } from './cases.js';
import type { ModelServer } from './model-server.js';
import type { VerifiedProgram } from './programs.js';

/** A session that takes longer than this has got nowhere. */
const RUN_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

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
    ...of.program.env,
    PATH: of.path,
    HOME: home,
    XDG_STATE_HOME: join(base, 'state'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    no_proxy: '127.0.0.1,localhost',
  };
  const git = (...args: readonly string[]) => exec('git', args, { cwd: root, env });
  await mkdir(root, { recursive: true });
  for (const [path, text] of Object.entries(of.program.home(of.server.port))) await put(join(home, path), text);
  await put(
    join(root, 'workspace.yaml'),
    JSON.stringify(head('Workspace', { id: 'verify', name: 'Verify' }, { memory: { enabled: false } })),
  );
  await put(join(root, 'a.txt'), 'a\n');
  await git('init', '--quiet', '--template=');
  await git('add', 'a.txt');
  await git('-c', 'user.name=kit', '-c', 'user.email=kit@localhost', 'commit', '--quiet', '--message=first');
  const kit = (...args: readonly string[]) => exec(of.kit[0], [of.kit[1], ...args], { cwd: root, env });
  let number = 0;
  const ended = async (...args: readonly string[]): Promise<Ended> => {
    const { stdout, stderr } = await kit('run', ...args, '--json');
    const job = lastObject(stdout);
    if (typeof job?.job_id !== 'string') throw new Error(`kit run told no run: ${`${stdout}${stderr}`.slice(-600)}`);
    return endedOf(job.job_id, job);
  };
  return {
    run: async (task, config) => {
      number += 1;
      const name = `case-${number}`;
      await put(join(root, 'archetypes', `${name}.yaml`), JSON.stringify(archetypeOf(of.id, name, config)));
      await put(join(root, 'topologies', `${name}.yaml`), JSON.stringify(topologyOf(name)));
      return ended(name, '--input', task);
    },
    decide: async (run, action) => {
      const listed = lastObject((await kit('review', 'list', '--json')).stdout);
      const items: readonly Json[] = Array.isArray(listed?.items) ? listed.items : [];
      const item = items.find((one) => isObject(one) && (one.job_id === run || String(one.id).includes(run)));
      if (isObject(item)) await kit('review', action, String(item.id), '--no-resume', '--as', 'verify');
      return ended(`--resume=${run}`);
    },
    diff: async (run) => (await kit('diff', run)).stdout,
    takeCount: () => of.server.takeCount(),
    version: async () => {
      const { stdout } = await exec(of.program.command, ['--version'], { cwd: root, env });
      const [line = ''] = stdout.trim().split('\n');
      return line === '' ? null : line.slice(0, 100);
    },
    close: () => rm(base, { recursive: true, force: true }),
  };
}

const head = (kind: string, metadata: JsonObject, more: JsonObject): JsonObject => ({
  apiVersion: 'kit/v1',
  kind,
  metadata,
  ...more,
});
const PROVENANCE = { authored_by: 'human', version: '1.0.0' };

const archetypeOf = (ref: string, id: string, config: JsonObject): JsonObject =>
  head(
    'Archetype',
    { id, name: id, description: 'Verifies a program.' },
    {
      role: 'worker',
      defaults: {},
      executor: { kind: 'harness', ref, config },
      provenance: PROVENANCE,
    },
  );

const topologyOf = (name: string): JsonObject =>
  head(
    'Topology',
    { name, version: '1.0.0', description: 'Verifies a program.' },
    {
      agents: { root: { id: 'coder', role: 'root', archetype: name } },
    },
  );

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function exec(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { cwd, env, timeout: RUN_MS, killSignal: 'SIGTERM', maxBuffer: MAX_OUTPUT_BYTES },
      // How it ended is told by what it wrote: a run that waits for people ends with 3.
      (_error, stdout, stderr) => resolve({ stdout, stderr }),
    );
    child.stdin?.end();
  });
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
  const { usage_input_tokens: used } = job;
  return {
    id,
    status: text('status'),
    output: text('output'),
    reason: `${text('reason')} ${text('error').slice(0, 200)}`.trim(),
    inputTokens: typeof used === 'number' ? used : 0,
  };
}
