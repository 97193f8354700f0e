import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ContainerRuntime,
  type ContainerWay,
  findContainerRuntime,
  type ProcessSpec,
  REMOVAL_MS,
  removalOf,
  removeLeftContainers,
  type SupervisedProcess,
  type ToolServerContext,
} from '@kit-run/kit/plugin';
import { planContainer, STATE, sandboxRefused } from '../sandbox/container.js';
import type { SandboxSettings, StdioSettings } from '../settings.js';

/**
 * What a line of stdout may have at most; beyond it the server is ended, since no more can be held.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const STDERR_TAIL_BYTES = 16 * 1024;

/** How a program is started that lives as long as it is wanted. */
const launchSpec = (
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
  stdinParts?: AsyncIterable<string>,
): ProcessSpec => ({
  argv,
  cwd,
  env,
  stdin: '',
  ...(stdinParts === undefined ? {} : { stdinParts }),
  maxLineBytes: MAX_LINE_BYTES,
  stderrTailBytes: STDERR_TAIL_BYTES,
  idleTimeoutMs: null,
  timeoutMs: null,
  maxOutputBytes: null,
});

/** Starts a server whose start was planned. */
export type Launch = (stdin: AsyncIterable<string>, stop: AbortSignal) => SupervisedProcess;

/** Plans the start of a stdio server. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
export async function planLaunch(server: string, settings: StdioSettings, context: ToolServerContext): Promise<Launch> {
  const { sandbox } = settings;
  if (sandbox !== null) return planSandboxed(server, { ...settings, sandbox }, context);
  const env = { ...context.env, ...settings.env };
  return (stdin, stop) => context.spawn(launchSpec(settings.command, settings.cwd, env, stdin), stop);
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
  const { workspaceRoot: cwd, env, containerOwner: owner } = context;
  const name = `kit-mcp-${randomUUID()}`;
  if (owner !== undefined) await removeLeftContainers({ runtime, owner, cwd, env, spawn: context.spawn });
  const user = userHere();
  const way = await wayOf(server, { allow: settings.sandbox.allow, user }, context);
  const plan = await closingOn(way, () =>
    planContainer({
      ...{ server, settings, runtime, image, name, user, way },
      owner: owner?.label ?? null,
      isRoot: process.getuid?.() === 0,
      workspaceRoot: cwd,
      hasState: existsSync(join(cwd, STATE)),
      hostEnv: env,
    }),
  );
  // The end of the client ends no program that ignores it: a container belongs to its runtime.
  const afterwards = { argv: removalOf(runtime, [name]), timeoutMs: REMOVAL_MS, word: name };
  return (stdin, stop) => {
    const child = context.spawn({ ...launchSpec(plan.argv, cwd, plan.env, stdin), afterwards }, stop);
    // Who waits for its end waits for that of its way, too.
    return way === null ? child : { ...child, done: endOfBoth(child, way) };
  };
}

async function endOfBoth({ done }: SupervisedProcess, way: ContainerWay): Promise<Awaited<SupervisedProcess['done']>> {
  try {
    return await done;
  } finally {
    await way.close();
  }
}

/** Null: it names no hosts. */
async function wayOf(
  server: string,
  to: { readonly allow: SandboxSettings['allow']; readonly user: ReturnType<typeof userHere> },
  { openWay }: ToolServerContext,
): Promise<ContainerWay | null> {
  if (to.allow.length === 0) return null;
  if (openWay === undefined) throw sandboxRefused(server, 'nobody here leads it to the hosts of `sandbox_allow`');
  const { allow, user } = to;
  return openWay(server, process.getuid?.() === 0 ? { allow, user } : { allow });
}

async function closingOn<T>(way: ContainerWay | null, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    await way?.close();
    throw error;
  }
}

/** `nobody` of most systems. */
const NOBODY = 65_534;

/** A server only reads: where kit itself is root, it is nobody. */
function userHere(): { readonly uid: number; readonly gid: number } {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid: process.getgid?.() ?? NOBODY };
}

/** The wanted runtime, else docker, else podman. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
async function findRuntime(
  server: string,
  wanted: string | null,
  context: ToolServerContext,
): Promise<ContainerRuntime> {
  const { workspaceRoot: cwd, env, signal } = context;
  const found = await findContainerRuntime({ wanted, cwd, env, spawn: (spec) => context.spawn(spec, signal) });
  if ('problem' in found) throw sandboxRefused(server, found.problem, found.hint);
  return found.runtime;
}
