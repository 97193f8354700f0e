import type { DoctorCheck } from '../../../view/doctor-report.js';
import { fail, ok, warn } from './check.js';

/** @param range `engines.node` of kit */
export function checkNode(node: {
  readonly version: string;
  readonly range: string;
  readonly isSupported: boolean;
}): DoctorCheck {
  if (node.isSupported) return ok('node', `Node.js ${node.version}`);
  return fail('node', `Node.js ${node.version}, and kit needs ${node.range}`, 'nvm install 24');
}

/** Worktrees of harnesses are made with git; nothing else needs it. */
export function checkGit(git: { readonly version: string | null; readonly isNeeded: boolean }): DoctorCheck {
  if (git.version !== null) return ok('git', git.version);
  const found = 'git does not answer';
  if (git.isNeeded)
    return fail(
      'git',
      `${found}, and harnesses of this workspace run in worktrees`,
      'Install git, and put it on PATH.',
    );
  return warn(
    'git',
    `${found}; no harness of this workspace needs it`,
    'Install git, and put it on PATH, before an agent runs in a harness.',
  );
}

/** What answered, in the order docker, podman. */
export interface ContainerFacts {
  readonly answering: readonly { readonly name: string; readonly version: string }[];
  /** On PATH, but its service does not answer. */
  readonly silent: readonly string[];
  /** Ids of adapters and tool servers that ask for a container. */
  readonly neededBy: readonly string[];
  /** Containers that dead processes of kit had left, and that looking removed. */
  readonly removed: number;
}

/** Nothing but an adapter or a tool server that asks for one needs a container. */
export const checkContainers = (facts: ContainerFacts): readonly DoctorCheck[] => [
  runtimeOf(facts),
  ...(facts.removed === 0
    ? []
    : [warn('containers.left', `${facts.removed} that a dead process of kit had left: removed now`, null)]),
];

function runtimeOf({ answering, silent, neededBy }: ContainerFacts): DoctorCheck {
  const [first] = answering;
  if (first !== undefined) return ok('containers', `${first.name} ${first.version} answers`);
  const found =
    silent.length === 0
      ? 'neither docker nor podman is on PATH'
      : `${silent.join(' and ')} is on PATH and does not answer`;
  const fix = silent.includes('docker')
    ? 'sudo systemctl start docker'
    : silent.includes('podman')
      ? 'podman info'
      : 'Install docker or podman.';
  if (neededBy.length > 0) return fail('containers', `${found}, and ${neededBy.join(', ')} asks for a container`, fix);
  return warn('containers', `${found}; nothing in this workspace needs one`, fix);
}

/** Where the state of a workspace lies. */
export interface StateDirFacts {
  readonly path: string;
  readonly exists: boolean;
  /** The directory, or the nearest one above it that exists, takes files. */
  readonly isWritable: boolean;
  /** Permission bits; null where there is no directory yet. */
  readonly mode: number | null;
  /** Name of the network file system it lies on; null = local. */
  readonly network: string | null;
  readonly freeBytes: number;
  /** SQLite keeps the runs there. */
  readonly holdsRuns: boolean;
  /**
   * Milliseconds to make a small file durable there, the median of some; null = there is no
   * directory yet.
   */
  readonly syncMs: number | null;
}

const OTHERS = 0o077;
const MIB = 1024 * 1024;
/** A journal commits each step; with less a busy day can fill the disk. */
const SCARCE_BYTES = 1024 * MIB;
const FULL_BYTES = 64 * MIB;
/** Each step waits for a commit. */
const SLOW_SYNC_MS = 50;

/** Worktrees and, on SQLite, every run lie there. */
export function checkStateDir(dir: StateDirFacts): readonly DoctorCheck[] {
  return [placeOf(dir), diskOf(dir)];
}

function placeOf({ path, exists, isWritable, mode, network, holdsRuns }: StateDirFacts): DoctorCheck {
  const id = 'state-dir';
  if (!isWritable)
    return fail(id, `${path} cannot be written by this user`, 'export KIT_STATE_DIR=<a directory that you may write>');
  if (network !== null) {
    const found = `${path} lies on a network file system (${network})`;
    if (holdsRuns)
      return fail(id, `${found}, where SQLite loses data`, 'export KIT_STATE_DIR=<a directory on a local disk>');
    return warn(id, `${found}; no store lies there`, null);
  }
  if (mode !== null && (mode & OTHERS) !== 0)
    return warn(id, `others than its owner may enter ${path}`, `chmod 700 '${path}'`);
  return ok(id, exists ? `${path} is writable and private` : `${path} can be made`);
}

function diskOf({ freeBytes, syncMs }: StateDirFacts): DoctorCheck {
  const id = 'disk';
  const free = `${Math.floor(freeBytes / MIB)} MiB are free for the state directory`;
  if (freeBytes < FULL_BYTES) return fail(id, free, 'Make room on the disk, or set KIT_STATE_DIR to another one.');
  if (freeBytes < SCARCE_BYTES) return warn(id, free, 'Make room on the disk, or set KIT_STATE_DIR to another one.');
  if (syncMs === null) return ok(id, free);
  const sync = `${free}; making a write durable takes ${syncMs.toFixed(1)} ms`;
  return syncMs > SLOW_SYNC_MS
    ? warn(id, `${sync}, and each step waits for one`, 'Set KIT_STATE_DIR to a faster local disk.')
    : ok(id, sync);
}

/** A variable that is set and that nothing reads, and the one that is meant. */
export interface MisspeltVariable {
  readonly name: string;
  readonly meant: string;
}

/** Variables of the environment that kit reads, and those that it would if they were spelt so. */
export function checkEnvironment(
  problem: { readonly message: string; readonly hint: string | undefined } | null,
  misspelt: readonly MisspeltVariable[] = [],
): DoctorCheck {
  const id = 'environment';
  if (problem !== null) return fail(id, problem.message, problem.hint ?? null);
  if (misspelt.length === 0) return ok(id, 'every KIT_* variable that is set can be read');
  return warn(
    id,
    `kit reads no ${misspelt.map(({ name, meant }) => `${name} (did you mean ${meant}?)`).join(', no ')}`,
    `unset ${misspelt.map(({ name }) => name).join(' ')}`,
  );
}
