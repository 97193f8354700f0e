import type { ContainerRuntime, ProcessResult, RuntimeSearch } from '@kit-run/kit/plugin';
import type { ContainerSandbox } from '../adapter/spec.js';
import { planImage } from './image.js';

/** Who starts the client of the runtime, and where. */
export interface RuntimeHost extends Pick<RuntimeSearch, 'cwd' | 'env' | 'spawn'> {
  /** Called with each line that a build prints. Absent: none is shown. */
  readonly onLine?: (line: string) => void;
}

const BUILD_MS = 15 * 60_000;
const LOOK_MS = 60_000;
/** The script of kit in a container is a program for Node. */
export const LEAST_NODE = 20;

/** Runs the runtime itself to its end, away from the container. */
async function call(
  host: RuntimeHost,
  argv: readonly [string, ...string[]],
  of: { readonly stdin?: string; readonly timeoutMs: number },
): Promise<ProcessResult> {
  const { cwd, env, spawn, onLine } = host;
  const limits = { maxLineBytes: 1024 * 1024, stderrTailBytes: 4096, idleTimeoutMs: null, maxOutputBytes: null };
  const child = spawn({ argv, cwd, env, stdin: of.stdin ?? '', timeoutMs: of.timeoutMs, ...limits });
  for await (const line of child.lines) onLine?.(line);
  return child.done;
}

/** The image of an adapter, built where it says how; or why there is none. */
export async function imageFor(
  runtime: ContainerRuntime,
  of: { readonly sandbox: ContainerSandbox; readonly fallback: string | null; readonly workspaceRoot: string },
  host: RuntimeHost,
): Promise<{ readonly image: string; readonly isBuilt: boolean } | { readonly problem: string }> {
  const planned = planImage(of.sandbox, of);
  if (planned.kind === 'named') return { image: planned.image, isBuilt: false };
  if (planned.kind === 'missing')
    return { problem: 'it has no image. Write `sandbox.image` or `sandbox.build`, or set KIT_HARNESS_IMAGE' };
  const quiet = host.onLine === undefined ? ['-q'] : [];
  const argv = [runtime, 'build', ...quiet, ...planned.args] as const;
  const built = await call(host, [...argv], { stdin: planned.stdin, timeoutMs: BUILD_MS });
  if (built.exitCode === 0) return { image: planned.image, isBuilt: true };
  return {
    problem: `its image could not be built: ${built.stderrTail.trim().split('\n').at(-1) ?? `${runtime} build failed`}`,
  };
}

/** Whether the image has the Node.js that kit's script in the container needs. */
export async function hasNode(runtime: ContainerRuntime, image: string, host: RuntimeHost): Promise<boolean> {
  const looks = `process.exit(Number.parseInt(process.versions.node) >= ${LEAST_NODE} ? 0 : 1)`;
  const argv = [runtime, 'run', '--rm', '--network=none', '--entrypoint=', image, 'node', '-e', looks] as const;
  return (await call(host, [...argv], { timeoutMs: LOOK_MS })).exitCode === 0;
}
