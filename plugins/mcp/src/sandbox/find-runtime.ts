import { type ContainerRuntime, findContainerRuntime, type ToolServerContext } from '@kit-run/kit/plugin';
import { sandboxRefused } from './container.js';

/** The wanted runtime, else docker, else podman. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
export async function findRuntime(
  server: string,
  wanted: string | null,
  context: ToolServerContext,
): Promise<ContainerRuntime> {
  const { workspaceRoot: cwd, env, signal } = context;
  const found = await findContainerRuntime({ wanted, cwd, env, spawn: (spec) => context.spawn(spec, signal) });
  if ('problem' in found) throw sandboxRefused(server, found.problem, found.hint);
  return found.runtime;
}
