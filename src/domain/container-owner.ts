import type { ContainerRuntime } from './container-runtime.js';
import type { ProcessResult, ProcessSpec, SupervisedProcess } from './ports/system.js';

/** Label of a container of kit: the process that started it. */
export const OWNER_LABEL = 'kit.owner';

/** Label of a container that one step of a run works in (KIT_STEP_ID). */
export const STEP_LABEL = 'kit.step';

/** Longest time that a runtime gets to remove containers. */
export const REMOVAL_MS = 10_000;

/** Tells containers of this process from those that a dead one left. */
export interface ContainerOwner {
  /** Value of the label of the containers that this process starts. */
  readonly label: string;
  /** True when the process of a label certainly is no more; false for one of another machine. */
  isGone(label: string): boolean;
}

/** What looking for left containers needs of who starts the processes. */
interface Removal {
  readonly runtime: ContainerRuntime;
  readonly owner: ContainerOwner;
  /** A step that is about to start a container: whose owner is alive, too, goes. Default none. */
  readonly step?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly spawn: (spec: ProcessSpec) => SupervisedProcess;
}

/**
 * The command that removes these containers, whatever their programs ignore: podman asks them to
 * end first, and waits for 10 s, unless it is told not to.
 */
export const removalOf = (
  runtime: ContainerRuntime,
  names: readonly string[],
): readonly [ContainerRuntime, ...string[]] => [
  runtime,
  'rm',
  '-f',
  ...(runtime === 'podman' ? ['--time=0'] : []),
  ...names,
];

/**
 * Removes the containers that dead processes of kit left on this machine: the supervisor of each
 * does so, and may have died with them. Comes before the start of another one, so no second
 * container of a step works beside what is left of the first, whoever started that. Answers how
 * many there were. What the runtime cannot say now is looked for the next time; never rejects.
 */
export async function removeLeftContainers(removal: Removal): Promise<number> {
  const { runtime, owner, step } = removal;
  const format = '{{.ID}} {{.Labels}}';
  const lines = await linesOf(removal, [runtime, 'ps', '-a', '--filter', `label=${OWNER_LABEL}`, '--format', format]);
  const left = lines.flatMap((line) => {
    const [id = ''] = line.split(' ', 1);
    const by = labelIn(line, OWNER_LABEL);
    if (!ID.test(id) || by === null) return [];
    return owner.isGone(by) || (step !== undefined && labelIn(line, STEP_LABEL) === step) ? [id] : [];
  });
  if (left.length > 0) await linesOf(removal, removalOf(runtime, left));
  return left.length;
}

const ID = /^[0-9a-f]{6,64}$/;
/** docker lists labels as `a=1,b=2`, podman as `map[a:1 b:2]`; neither of old gives one by name. */
const LABEL = /[ ,[](kit\.\w+)[=:]([\w-]+)/g;

function labelIn(line: string, name: string): string | null {
  for (const [, found, value] of line.matchAll(LABEL)) if (found === name) return value ?? null;
  return null;
}

/** What a command of the runtime prints; nothing where it fails. */
async function linesOf({ cwd, env, spawn }: Removal, argv: readonly [string, ...string[]]): Promise<readonly string[]> {
  const limits = { maxLineBytes: 64 * 1024, stderrTailBytes: 4096, idleTimeoutMs: null, maxOutputBytes: 1024 * 1024 };
  const child = spawn({ argv, cwd, env, stdin: '', timeoutMs: REMOVAL_MS, ...limits });
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  const result = await child.done.catch((): ProcessResult | null => null);
  return result?.exitCode === 0 ? lines : [];
}
