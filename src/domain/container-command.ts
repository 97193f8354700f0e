import { OWNER_LABEL, STEP_LABEL } from './container-owner.js';
import { type ContainerRuntime, containerVariablesProblem } from './container-runtime.js';

/** A directory or file of the machine, seen in a container. */
export interface ContainerMount {
  readonly source: string;
  readonly target: string;
  readonly isWritable: boolean;
}

/** A container for one program: all that it sees of the machine is named here. */
export interface ContainerSpec {
  readonly runtime: ContainerRuntime;
  readonly image: string;
  /** By which it is removed. */
  readonly name: string;
  /** Whose it is (`ContainerOwner.label`); null = nobody looks for it once its owner is gone. */
  readonly owner: string | null;
  /** The step that works in it; null = it belongs to no single one. */
  readonly step: string | null;
  /**
   * Who the program is: files that it writes belong to this person. Null = whom the image names.
   */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** True when kit itself runs as root. */
  readonly isRoot: boolean;
  readonly mounts: readonly ContainerMount[];
  /** Writable directories of the container's own beside HOME and `/tmp`, in memory as those. */
  readonly scratch: readonly string[];
  readonly workdir: string;
  /** In the words of the runtime. Null each = unbounded. */
  readonly limits: { readonly cpus: string | null; readonly memory: string | null; readonly pids: number | null };
  /**
   * What the program gets, by name; values reach the runtime's client through its environment, and
   * stand on no command line.
   */
  readonly variables: Readonly<Record<string, string>>;
  /** Environment of the client itself. */
  readonly hostEnv: Readonly<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
}

/** HOME of the program: a directory of the container's own, which goes with it. */
export const CONTAINER_HOME = '/home/kit';

/** How the client is started; or why it cannot be, as the end of a sentence, and what to do. */
export type ContainerCommand =
  | { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }
  | { readonly problem: string; readonly hint: string };

/**
 * docker maps nobody, and neither does podman as root; podman without root maps who runs it to
 * root, unless told to keep the number, which it refuses as root.
 */
const userOf = ({ runtime, user, isRoot }: ContainerSpec): readonly string[] => {
  if (user === null) return [];
  return runtime === 'docker' || isRoot ? [`--user=${user.uid}:${user.gid}`] : ['--userns=keep-id'];
};

/** What a mount puts there is what the program shall find there. */
const scratchOf = ({ scratch, mounts }: ContainerSpec): readonly string[] =>
  [CONTAINER_HOME, ...scratch, '/tmp'].filter((folder) => mounts.every(({ target }) => target !== folder));

const limitsOf = ({ limits: { cpus, memory, pids } }: ContainerSpec): readonly string[] => [
  ...(cpus === null ? [] : [`--cpus=${cpus}`]),
  ...(memory === null ? [] : [`--memory=${memory}`]),
  ...(pids === null ? [] : [`--pids-limit=${pids}`]),
];

function problemOf({
  image,
  mounts,
  variables,
}: ContainerSpec): { readonly problem: string; readonly hint: string } | null {
  const bad = containerVariablesProblem(Object.keys(variables));
  if (bad !== null) return bad;
  if (image.startsWith('-'))
    return { problem: 'its image is an option of the runtime, not an image', hint: 'Write it as name:tag.' };
  const comma = mounts.find(({ source, target }) => `${source}${target}`.includes(','));
  return comma === undefined
    ? null
    : { problem: `the path ${comma.source} has a comma`, hint: 'A mount cannot have one.' };
}

/**
 * The command line of a container that kit starts (docs/design/execution.md#containers), the same
 * for whatever runs in it: no network, no capabilities and none to be had, nothing of the machine
 * but the mounts, nothing that it can write but those and memory, gone when the program ends.
 */
export function containerCommand(spec: ContainerSpec): ContainerCommand {
  const problem = problemOf(spec);
  if (problem !== null) return problem;
  return {
    argv: [
      spec.runtime,
      'run',
      '--rm',
      '-i',
      '--init',
      `--name=${spec.name}`,
      ...(spec.owner === null ? [] : [`--label=${OWNER_LABEL}=${spec.owner}`]),
      ...(spec.step === null ? [] : [`--label=${STEP_LABEL}=${spec.step}`]),
      // What it prints is read by kit, which bounds it; the runtime would keep a copy on the disk.
      '--log-driver=none',
      '--network=none',
      '--security-opt=no-new-privileges',
      '--cap-drop=ALL',
      '--read-only',
      ...userOf(spec),
      ...spec.mounts.map(
        ({ source, target, isWritable }) =>
          `--mount=type=bind,source=${source},target=${target}${isWritable ? '' : ',readonly'}`,
      ),
      ...scratchOf(spec).map((folder) => `--tmpfs=${folder}:mode=1777`),
      `--workdir=${spec.workdir}`,
      ...limitsOf(spec),
      ...['-e', `HOME=${CONTAINER_HOME}`],
      ...Object.keys(spec.variables).flatMap((name) => ['-e', name]),
      spec.image,
      ...spec.argv,
    ],
    env: { ...spec.hostEnv, ...spec.variables },
  };
}
