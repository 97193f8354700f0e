import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { ContainerRuntime, ProcessResult, RuntimeSearch } from '@kit-run/kit/plugin';
import type { ContainerSandbox, SandboxBuild } from '../adapter/spec.js';

/**
 * An image that is there, or how it is built: the arguments behind `build`, and what is written to
 * it.
 */
type ImagePlan =
  | { readonly kind: 'named'; readonly image: string }
  | { readonly kind: 'built'; readonly image: string; readonly args: readonly string[]; readonly stdin: string }
  | { readonly kind: 'missing' };

const tagOf = (text: string): string => `kit-harness:${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

/**
 * A build from a text has no files around it; one from a file has those of its folder, and what
 * changed there is the runtime's to see.
 */
function buildOf(build: SandboxBuild, workspaceRoot: string): ImagePlan {
  if (build.dockerfile !== null) {
    const file = resolve(workspaceRoot, build.dockerfile);
    const image = tagOf(file);
    return { kind: 'built', image, args: ['-t', image, '-f', file, dirname(file)], stdin: '' };
  }
  const text = build.inline ?? [`FROM ${build.base}`, ...build.install.map((line) => `RUN ${line}`), ''].join('\n');
  const image = tagOf(text);
  return { kind: 'built', image, args: ['-t', image, '-'], stdin: text };
}

/**
 * The adapter's image, else KIT_HARNESS_IMAGE, else what the adapter says how to build; there is no
 * default image (docs/design/execution.md#containers).
 */
export function planImage(
  sandbox: ContainerSandbox,
  of: { readonly fallback: string | null; readonly workspaceRoot: string },
): ImagePlan {
  const image = sandbox.image ?? of.fallback;
  if (image !== null) return { kind: 'named', image };
  return sandbox.build === null ? { kind: 'missing' } : buildOf(sandbox.build, of.workspaceRoot);
}

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
): Promise<{ readonly image: string } | { readonly problem: string }> {
  const planned = planImage(of.sandbox, of);
  if (planned.kind === 'named') return { image: planned.image };
  if (planned.kind === 'missing')
    return { problem: 'it has no image. Write `sandbox.image` or `sandbox.build`, or set KIT_HARNESS_IMAGE' };
  const quiet = host.onLine === undefined ? ['-q'] : [];
  const argv = [runtime, 'build', ...quiet, ...planned.args] as const;
  const built = await call(host, [...argv], { stdin: planned.stdin, timeoutMs: BUILD_MS });
  if (built.exitCode === 0) return { image: planned.image };
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
