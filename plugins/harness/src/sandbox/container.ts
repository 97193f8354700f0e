import { isAbsolute, resolve } from 'node:path';
import { type ContainerRuntime, containerVariablesProblem } from '@kit-run/kit/plugin';
import type { ContainerSandbox } from '../adapter/spec.js';
import { foldersOf, type Login } from '../launch/credential-paths.js';

/** Where the worktree lies in the container. */
export const INSIDE = '/workspace';
/** HOME of the harness: a directory of the container's own, which goes with it. */
const HOME = '/home/kit';

export interface ContainerRequest {
  readonly sandbox: ContainerSandbox;
  readonly runtime: ContainerRuntime;
  readonly image: string;
  /** Name of the container, by which it is removed. */
  readonly name: string;
  readonly worktree: string;
  readonly workspaceRoot: string;
  /** Who the harness is: files that it writes belong to who runs kit. Null where the system has no numbers for people. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  readonly argv: readonly [string, ...string[]];
  /** Put into its HOME, read-only: no copy of a login is left anywhere, and none of it is changed. */
  readonly logins: readonly Login[];
  /** What the harness gets, by name; values reach the runtime's client through its environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly hostEnv: Readonly<Record<string, string>>;
}

export type ContainerPlan =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

const refused = (problem: string, hint: string): ContainerPlan => ({ ok: false, message: `the harness is sandboxed, and ${problem}. ${hint}` });

/** docker maps nobody; podman without root maps who runs it to root, unless told to keep the number. */
const userOf = (runtime: ContainerRuntime, user: ContainerRequest['user']): readonly string[] => {
  if (user === null) return [];
  return runtime === 'docker' ? [`--user=${user.uid}:${user.gid}`] : ['--userns=keep-id'];
};

/**
 * How a harness is started in a container (execution.md 5.9): no network, the worktree writable and nothing else of the machine but the
 * declared mounts and the logins of its auth mode, no new privileges, gone when it ends.
 */
export function planContainer(request: ContainerRequest): ContainerPlan {
  const { sandbox, runtime, image, name, worktree, workspaceRoot, variables, hostEnv } = request;
  const names = Object.keys(variables);
  const bad = containerVariablesProblem(names);
  if (bad !== null) return refused(bad.problem, bad.hint);
  if (image.startsWith('-')) return refused('its image is an option of the runtime, not an image', 'Write `sandbox.image` as name:tag.');
  const mounts = [
    { source: worktree, target: INSIDE, isWritable: true },
    ...sandbox.mounts.map((mount) => ({ ...mount, source: isAbsolute(mount.source) ? mount.source : resolve(workspaceRoot, mount.source) })),
    ...request.logins.map(({ source, inHome }) => ({ source, target: `${HOME}/${inHome}`, isWritable: false })),
  ];
  const comma = mounts.find(({ source, target }) => `${source}${target}`.includes(','));
  if (comma !== undefined) return refused(`the path ${comma.source} has a comma`, 'A mount cannot have one.');
  const { cpus, memory, pids } = sandbox.resources;
  return {
    ok: true,
    argv: [
      runtime,
      'run',
      '--rm',
      '-i',
      '--init',
      `--name=${name}`,
      '--network=none',
      '--security-opt=no-new-privileges',
      ...userOf(runtime, request.user),
      ...mounts.map(({ source, target, isWritable }) => `--mount=type=bind,source=${source},target=${target}${isWritable ? '' : ',readonly'}`),
      ...['', ...foldersOf(request.logins).map((folder) => `/${folder}`)].map((folder) => `--tmpfs=${HOME}${folder}:mode=1777`),
      `--workdir=${INSIDE}`,
      ...(cpus === null ? [] : [`--cpus=${cpus}`]),
      ...(memory === null ? [] : [`--memory=${memory}`]),
      ...(pids === null ? [] : [`--pids-limit=${pids}`]),
      '-e',
      `HOME=${HOME}`,
      ...names.flatMap((each) => ['-e', each]),
      image,
      ...request.argv,
    ],
    env: { ...hostEnv, ...variables },
  };
}
