import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ContainerFacts,
  checkContainers,
  checkEnvironment,
  checkGit,
  checkNode,
  checkStateDir,
  type StateDirFacts,
} from '../../app/doctor/checks/machine.js';
import { misspeltVariables } from '../../app/doctor/checks/misspelt-variables.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import { readEnv } from '../../app/read-env.js';
import { isKitError } from '../../domain/errors.js';
import { fileSystemTypeOf, networkFileSystem } from '../../store/state-dir.js';
import { runProgram } from '../../system/run-program.js';
import { whichProgram } from '../../system/which-program.js';
import type { DoctorCheck } from '../../view/doctor-report.js';
import { readPjson } from '../discovery/load-at.js';

const ANSWER_MS = 4_000;
const MAX_BYTES = 64 * 1024;

/** First line that a program says; null when it is not there, fails, or says nothing in time. */
async function askProgram(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { code, stdout } = await runProgram(argv, {
    env,
    timeoutMs: ANSWER_MS,
    killSignal: 'SIGKILL',
    maxBytes: MAX_BYTES,
  });
  const line = stdout.split('\n')[0]?.trim() ?? '';
  return code === 0 && line !== '' ? line : null;
}

/** What looking at the machine takes. */
export interface MachineParts {
  readonly env: NodeJS.ProcessEnv;
  readonly packageRoot: string;
  readonly stateDir: string;
  /** SQLite keeps the runs; false where nobody knows. */
  readonly holdsRuns: () => Promise<boolean>;
  /**
   * Ids of adapters that the workspace starts, and of the adapters and tool servers that ask for a
   * container.
   */
  readonly harnesses: () => Promise<{ readonly used: readonly string[]; readonly contained: readonly string[] }>;
  /** Removes containers that dead processes left; answers how many. */
  readonly sweepContainers: () => Promise<number>;
}

/** Node, environment, state directory, git, containers. */
export const machineProbes = (parts: MachineParts): readonly Probe[] => [
  { id: 'node', look: async () => [await lookAtNode(parts.packageRoot)] },
  { id: 'environment', look: async () => [lookAtEnvironment(parts.env)] },
  { id: 'state-dir', look: async () => checkStateDir(await stateDirFacts(parts)) },
  {
    id: 'git',
    look: async () => {
      const [version, { used }] = await Promise.all([
        askProgram(['git', '--version'], toolEnv(parts.env)),
        parts.harnesses(),
      ]);
      return [checkGit({ version, isNeeded: used.length > 0 })];
    },
  },
  { id: 'containers', look: async () => checkContainers(await containerFacts(parts)) },
];

async function lookAtNode(packageRoot: string): Promise<DoctorCheck> {
  const [{ default: satisfies }, { engines }] = await Promise.all([
    import('semver/functions/satisfies.js'),
    readPjson(packageRoot),
  ]);
  const range = String(engines?.node ?? '*');
  return checkNode({ version: process.versions.node, range, isSupported: satisfies(process.versions.node, range) });
}

function lookAtEnvironment(env: NodeJS.ProcessEnv): DoctorCheck {
  try {
    readEnv(env);
    return checkEnvironment(null, misspeltVariables(Object.keys(env).sort()));
  } catch (error) {
    if (isKitError(error)) return checkEnvironment({ message: error.message, hint: error.hint });
    throw error;
  }
}

async function stateDirFacts({ stateDir, holdsRuns }: MachineParts): Promise<StateDirFacts> {
  const found = await stat(stateDir).catch(() => null);
  const nearest = await nearestExisting(stateDir);
  const [isWritable, type, space] = await Promise.all([canWrite(nearest), fileSystemTypeOf(nearest), statfs(nearest)]);
  return {
    path: stateDir,
    exists: found !== null,
    isWritable: isWritable && (found === null || found.isDirectory()),
    mode: found === null ? null : found.mode & 0o777,
    network: networkFileSystem(type),
    freeBytes: space.bavail * space.bsize,
    holdsRuns: await holdsRuns().catch(() => false),
    syncMs: found?.isDirectory() === true && isWritable ? await syncMs(stateDir) : null,
  };
}

async function nearestExisting(path: string): Promise<string> {
  for (let candidate = path; ; candidate = dirname(candidate)) {
    if ((await stat(candidate).catch(() => null)) !== null || dirname(candidate) === candidate) return candidate;
  }
}

const canWrite = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

const SYNCS = 5;
const BLOCK_BYTES = 4096;

/** Like the commit of a store beside it: a few bytes that are durable. */
async function syncMs(directory: string): Promise<number | null> {
  const path = join(directory, `doctor-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      const took: number[] = [];
      for (let nth = 0; nth < SYNCS; nth++) {
        const fromMs = performance.now();
        await file.write(Buffer.alloc(BLOCK_BYTES));
        await file.datasync();
        took.push(performance.now() - fromMs);
      }
      return took.sort((a, b) => a - b)[Math.floor(SYNCS / 2)] ?? null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  } finally {
    await rm(path, { force: true });
  }
}

const RUNTIMES = ['docker', 'podman'] as const;

async function containerFacts({ env, harnesses, sweepContainers }: MachineParts): Promise<ContainerFacts> {
  const asked = await Promise.all(
    RUNTIMES.map(async (name) => ({
      name,
      path: await whichProgram(name, env.PATH),
      version: await askProgram([name, 'version', '--format', '{{.Server.Version}}'], toolEnv(env)),
    })),
  );
  return {
    answering: asked.flatMap(({ name, version }) => (version === null ? [] : [{ name, version }])),
    silent: asked.flatMap(({ name, path, version }) => (path !== null && version === null ? [name] : [])),
    neededBy: (await harnesses()).contained,
    // Of a workspace that cannot be read nobody knows whether it asks for one.
    removed: await sweepContainers().catch(() => 0),
  };
}

/** What these programs need to find themselves and their service; no key of anybody. */
const TOOL_VARIABLES =
  /^(PATH|PATHEXT|SystemRoot|HOME|TMPDIR|XDG_RUNTIME_DIR|DOCKER_(HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY)|CONTAINER_HOST)$/;

const toolEnv = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && TOOL_VARIABLES.test(name) ? [[name, value] as const] : [],
    ),
  );
