import { isAbsolute, resolve } from 'node:path';
import { CONTAINER_HOME, type ContainerSpec, containerCommand } from '@kit-run/kit/plugin';
import type { ContainerSandbox } from '../adapter/spec.js';
import { SOCKET_INSIDE } from '../gate/launch-socket.js';
import { DEFAULTS } from '../generated/defaults.js';
import { foldersOf, type Login } from '../launch/credential-paths.js';

/** Where the worktree lies in the container. */
export const INSIDE = '/workspace';
/**
 * What a container may take whose adapter bounds nothing: room for a build, and no end of the
 * machine when it runs wild. What it writes outside of its worktree counts as memory.
 */
const LIMITS = DEFAULTS['AdapterSandbox.resources'];

export interface ContainerRequest
  extends Pick<
    ContainerSpec,
    'runtime' | 'image' | 'name' | 'owner' | 'step' | 'user' | 'isRoot' | 'argv' | 'variables' | 'hostEnv'
  > {
  readonly sandbox: ContainerSandbox;
  readonly worktree: string;
  readonly workspaceRoot: string;
  /** Folder that is its HOME, and stays; null = its HOME is in memory. */
  readonly home: string | null;
  /**
   * Put into its HOME, read-only: no copy of a login is left anywhere, and none of it is changed.
   */
  readonly logins: readonly Login[];
  /** Folder in which kit listens to the program; null: it does not come to kit. */
  readonly launchSocket: string | null;
}

export type ContainerPlan =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * How a harness is started in a container: the worktree is writable; beside it, it sees the
 * declared mounts and the logins of its auth mode.
 */
export function planContainer(request: ContainerRequest): ContainerPlan {
  const { runtime, image, name, owner, step, user, isRoot, argv, variables, hostEnv } = request;
  const { sandbox, worktree, workspaceRoot, home, logins, launchSocket } = request;
  const command = containerCommand({
    ...{ runtime, image, name, owner, step, user, isRoot, argv, variables, hostEnv },
    mounts: [
      { source: worktree, target: INSIDE, isWritable: true },
      ...(home === null ? [] : [{ source: home, target: CONTAINER_HOME, isWritable: true }]),
      ...sandbox.mounts.map((mount) => ({
        ...mount,
        source: isAbsolute(mount.source) ? mount.source : resolve(workspaceRoot, mount.source),
      })),
      ...(launchSocket === null ? [] : [{ source: launchSocket, target: SOCKET_INSIDE, isWritable: false }]),
      ...logins.map(({ source, inHome }) => ({ source, target: `${CONTAINER_HOME}/${inHome}`, isWritable: false })),
    ],
    scratch: home === null ? foldersOf(logins).map((folder) => `${CONTAINER_HOME}/${folder}`) : [],
    workdir: INSIDE,
    limits: {
      cpus: sandbox.resources.cpus,
      memory: sandbox.resources.memory ?? LIMITS.memory,
      pids: sandbox.resources.pids ?? LIMITS.pids,
    },
  });
  if ('problem' in command)
    return { ok: false, message: `the harness is sandboxed, and ${command.problem}. ${command.hint}` };
  return { ok: true, ...command };
}
