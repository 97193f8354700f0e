import { isAbsolute, resolve } from 'node:path';
import { CONTAINER_HOME, type ContainerSpec, containerCommand } from '@kit-run/kit/plugin';
import type { ContainerSandbox } from '../adapter/spec.js';
import { foldersOf, type Login } from '../launch/credential-paths.js';

/** Where the worktree lies in the container. */
export const INSIDE = '/workspace';
/** Processes and threads of a container whose adapter bounds nothing. */
const DEFAULT_PIDS = 4096;

export interface ContainerRequest
  extends Pick<
    ContainerSpec,
    'runtime' | 'image' | 'name' | 'owner' | 'user' | 'isRoot' | 'argv' | 'variables' | 'hostEnv'
  > {
  readonly sandbox: ContainerSandbox;
  readonly worktree: string;
  readonly workspaceRoot: string;
  /**
   * Put into its HOME, read-only: no copy of a login is left anywhere, and none of it is changed.
   */
  readonly logins: readonly Login[];
}

export type ContainerPlan =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * How a harness is started in a container: the worktree is writable; beside it, it sees the
 * declared mounts and the logins of its auth mode.
 */
export function planContainer(request: ContainerRequest): ContainerPlan {
  const { runtime, image, name, owner, user, isRoot, argv, variables, hostEnv } = request;
  const { sandbox, worktree, workspaceRoot, logins } = request;
  const command = containerCommand({
    ...{ runtime, image, name, owner, user, isRoot, argv, variables, hostEnv },
    mounts: [
      { source: worktree, target: INSIDE, isWritable: true },
      ...sandbox.mounts.map((mount) => ({
        ...mount,
        source: isAbsolute(mount.source) ? mount.source : resolve(workspaceRoot, mount.source),
      })),
      ...logins.map(({ source, inHome }) => ({ source, target: `${CONTAINER_HOME}/${inHome}`, isWritable: false })),
    ],
    scratch: foldersOf(logins).map((folder) => `${CONTAINER_HOME}/${folder}`),
    workdir: INSIDE,
    limits: { ...sandbox.resources, pids: sandbox.resources.pids ?? DEFAULT_PIDS },
  });
  if ('problem' in command)
    return { ok: false, message: `the harness is sandboxed, and ${command.problem}. ${command.hint}` };
  return { ok: true, ...command };
}
