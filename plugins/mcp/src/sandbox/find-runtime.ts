import type { ProcessResult, ToolServerContext } from '@kit-run/kit/plugin';
import { launchSpec } from '../stdio/launch-spec.js';
import { type Runtime, sandboxRefused } from './container.js';

const RUNTIMES: readonly Runtime[] = ['docker', 'podman'];
/** A daemon that is being started may take its time; one that hangs must not hold up a run. */
const PROBE_MS = 10_000;

/** True when the program is there and what stands behind it answers. */
async function answers(runtime: Runtime, context: ToolServerContext): Promise<boolean> {
  const child = context.spawn({ ...launchSpec([runtime, 'version'], context.workspaceRoot, context.env), timeoutMs: PROBE_MS }, context.signal);
  const drained = (async () => {
    for await (const _line of child.lines);
  })();
  const result = await child.done.catch((): ProcessResult | null => null);
  await drained;
  return result !== null && result.exitCode === 0;
}

/** The wanted runtime, else docker, else podman. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
export async function findRuntime(server: string, wanted: string | null, context: ToolServerContext): Promise<Runtime> {
  if (wanted !== null && !RUNTIMES.some((known) => known === wanted))
    throw sandboxRefused(server, `${wanted} is no container runtime that kit knows`, 'Set KIT_CONTAINER_RUNTIME to docker or podman.');
  for (const runtime of RUNTIMES) if ((wanted === null || wanted === runtime) && (await answers(runtime, context))) return runtime;
  throw sandboxRefused(server, wanted === null ? 'neither docker nor podman answers' : `${wanted} does not answer`);
}
