import { randomUUID } from 'node:crypto';
import type { SupervisedProcess, ToolServerContext } from '@kit-run/kit/plugin';
import { planContainer, sandboxRefused } from '../sandbox/container.js';
import { findRuntime } from '../sandbox/find-runtime.js';
import type { SandboxSettings, StdioSettings } from '../settings.js';
import { launchSpec } from './launch-spec.js';

/** A server that is about to be started. */
export interface Launch {
  start(stdin: AsyncIterable<string>, stop: AbortSignal): SupervisedProcess;
  /** Removes what could outlive the process: a container belongs to its runtime's own service. */
  cleanUp(): Promise<void>;
}

const CLEAN_UP_MS = 10_000;

/** Plans the start of a stdio server. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
export async function planLaunch(server: string, settings: StdioSettings, context: ToolServerContext): Promise<Launch> {
  const { sandbox } = settings;
  if (sandbox !== null) return planSandboxed(server, { ...settings, sandbox }, context);
  const env = { ...context.env, ...settings.env };
  return {
    start: (stdin, stop) => context.spawn(launchSpec(settings.command, settings.cwd, env, stdin), stop),
    cleanUp: async () => {},
  };
}

async function planSandboxed(
  server: string,
  settings: StdioSettings & { readonly sandbox: SandboxSettings },
  context: ToolServerContext,
): Promise<Launch> {
  const { image } = settings.sandbox;
  if (image === null)
    throw sandboxRefused(server, 'it has no image', 'Write `sandbox_image`, or set KIT_SANDBOX_IMAGE.');
  const runtime = await findRuntime(server, settings.sandbox.runtime, context);
  const name = `kit-mcp-${randomUUID()}`;
  const plan = planContainer({
    server,
    settings,
    runtime,
    image,
    name,
    workspaceRoot: context.workspaceRoot,
    hostEnv: context.env,
  });
  let hasStarted = false;
  return {
    start: (stdin, stop) => {
      hasStarted = true;
      return context.spawn(launchSpec(plan.argv, context.workspaceRoot, plan.env, stdin), stop);
    },
    cleanUp: async () => {
      // When the run is over nothing may be started any more; the end of its stdin has ended the
      // container then.
      if (!hasStarted || context.signal.aborted) return;
      const removal = context.spawn({
        ...launchSpec([runtime, 'rm', '-f', name], context.workspaceRoot, context.env),
        timeoutMs: CLEAN_UP_MS,
      });
      for await (const _line of removal.lines);
      await removal.done.catch(() => undefined);
    },
  };
}
