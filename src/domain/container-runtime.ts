import type { Json, JsonObject } from './json.js';
import type { ProcessResult, ProcessSpec, SupervisedProcess } from './ports/system.js';
import type { Workspace } from './workspace.js';

/** Programs that kit runs containers with, in the order in which they are looked for. */
export const CONTAINER_RUNTIMES = ['docker', 'podman'] as const;

/** One of `CONTAINER_RUNTIMES`. */
export type ContainerRuntime = (typeof CONTAINER_RUNTIMES)[number];

/** The runtime to use, or why there is none, as the end of a sentence. */
export type FoundRuntime =
  | { readonly runtime: ContainerRuntime }
  | { readonly problem: string; readonly hint?: string };

/** True for the spec of an adapter that asks for a container. */
export const isContained = ({ sandbox }: { readonly sandbox?: Json | object }): boolean =>
  typeof sandbox === 'object' && sandbox !== null && 'kind' in sandbox && sandbox.kind === 'container';

/** True for a tool server that asks for one. */
export const isSandboxed = ({ config }: { readonly config: JsonObject }): boolean => config.sandboxed === true;

/** True when a run of the workspace may ask for one. */
export const asksForContainers = ({ adapters, servers }: Pick<Workspace, 'adapters' | 'servers'>): boolean =>
  [...servers.values()].some(isSandboxed) || [...adapters.values()].some(({ value }) => isContained(value.spec));

/** What looking for a runtime needs of who starts the processes. */
export interface RuntimeSearch {
  /** KIT_CONTAINER_RUNTIME; null = whichever answers. */
  readonly wanted: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly spawn: (spec: ProcessSpec) => SupervisedProcess;
}

/** A daemon that is being started may take its time; one that hangs must not hold up a run. */
const PROBE_MS = 10_000;
const MAX_LINE_BYTES = 1024 * 1024;
const STDERR_TAIL_BYTES = 16 * 1024;

/** True when the program is there and what stands behind it answers. */
async function answers(runtime: ContainerRuntime, { cwd, env, spawn }: RuntimeSearch): Promise<boolean> {
  const limits = {
    maxLineBytes: MAX_LINE_BYTES,
    stderrTailBytes: STDERR_TAIL_BYTES,
    idleTimeoutMs: null,
    timeoutMs: PROBE_MS,
    maxOutputBytes: null,
  };
  const child = spawn({ argv: [runtime, 'version'], cwd, env, stdin: '', ...limits });
  const drained = (async () => {
    for await (const _line of child.lines);
  })();
  const result = await child.done.catch((): ProcessResult | null => null);
  await drained;
  return result !== null && result.exitCode === 0;
}

/** The wanted runtime, else docker, else podman. */
export async function findContainerRuntime(search: RuntimeSearch): Promise<FoundRuntime> {
  const { wanted } = search;
  if (wanted !== null && !CONTAINER_RUNTIMES.some((known) => known === wanted))
    return {
      problem: `${wanted} is not a container runtime that kit knows`,
      hint: 'Set KIT_CONTAINER_RUNTIME to docker or podman.',
    };
  for (const runtime of CONTAINER_RUNTIMES)
    if ((wanted === null || wanted === runtime) && (await answers(runtime, search))) return { runtime };
  return { problem: wanted === null ? 'neither docker nor podman answers' : `${wanted} does not answer` };
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that steer the client of the runtime itself, or the loader that starts it. */
const STEERING =
  /^(PATH|HOME|USER|TMPDIR|XDG_.*|DOCKER_.*|CONTAINER.*|PODMAN_.*|BUILDAH_.*|REGISTRY_.*|STORAGE_.*|LD_.*|DYLD_.*)$/;

/**
 * Why variables of these names cannot be handed into a container by name, as the end of a sentence;
 * null = they can. By name, because the value of one on a command line is seen by every user of the
 * machine.
 */
export function containerVariablesProblem(
  names: readonly string[],
): { readonly problem: string; readonly hint: string } | null {
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined)
    return { problem: `${JSON.stringify(bad)} is not a name of a variable`, hint: 'Rename it in `env`.' };
  const steering = names.find((name) => STEERING.test(name));
  if (steering === undefined) return null;
  return {
    problem: `the variable ${steering} would change the container runtime itself`,
    hint: 'Set it in the image instead of `env`.',
  };
}
