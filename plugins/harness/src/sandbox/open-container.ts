import { randomUUID } from 'node:crypto';
import {
  type ContainerRuntime,
  type ExecutorContext,
  type ExecutorRequest,
  findContainerRuntime,
  type ProcessResult,
  REMOVAL_MS,
  removalOf,
  removeLeftContainers,
} from '@kit-run/kit/plugin';
import type { ContainerSandbox } from '../adapter/spec.js';
import type { Login } from '../launch/credential-paths.js';
import type { LaunchPlan } from '../launch/plan.js';
import { planContainer } from './container.js';
import { planImage } from './image.js';

export type Opened =
  | { readonly ok: true; readonly plan: LaunchPlan }
  | { readonly ok: false; readonly message: string };

const BUILD_MS = 15 * 60_000;
/** What kit tells every process of a session, beside what the adapter declares. */
const TOLD = /^(TRACEPARENT|KIT_)/;

export interface ContainerLaunch {
  readonly sandbox: ContainerSandbox;
  readonly plan: LaunchPlan;
  readonly logins: readonly Login[];
  readonly request: ExecutorRequest;
  readonly context: ExecutorContext;
  /** Folder in which kit listens to the program; null: it does not come to kit. */
  readonly door: string | null;
}

type Work = Pick<ContainerLaunch, 'request' | 'context'>;

/** Runs the runtime itself to its end, away from the container. */
async function call(
  work: Work,
  argv: readonly [string, ...string[]],
  of: { readonly stdin?: string; readonly timeoutMs: number },
): Promise<ProcessResult> {
  const { context, request } = work;
  const limits = { maxLineBytes: 1024 * 1024, stderrTailBytes: 4096, idleTimeoutMs: null, maxOutputBytes: null };
  const child = context.spawn({
    argv,
    cwd: request.sandboxRoot,
    env: context.env,
    stdin: of.stdin ?? '',
    timeoutMs: of.timeoutMs,
    ...limits,
  });
  for await (const _line of child.lines);
  return child.done;
}

async function imageFor(
  runtime: ContainerRuntime,
  { sandbox, ...work }: Work & Pick<ContainerLaunch, 'sandbox'>,
): Promise<{ image: string } | { problem: string }> {
  const { containers } = work.context;
  const planned = planImage(sandbox, {
    fallback: containers?.image ?? null,
    workspaceRoot: containers?.workspaceRoot ?? work.request.sandboxRoot,
  });
  if (planned.kind === 'named') return { image: planned.image };
  if (planned.kind === 'missing')
    return { problem: 'it has no image. Write `sandbox.image` or `sandbox.build`, or set KIT_HARNESS_IMAGE' };
  const built = await call(work, [runtime, 'build', ...planned.args], { stdin: planned.stdin, timeoutMs: BUILD_MS });
  if (built.exitCode === 0) return { image: planned.image };
  return {
    problem: `its image could not be built: ${built.stderrTail.trim().split('\n').at(-1) ?? `${runtime} build failed`}`,
  };
}

const LEAST_NODE = 20;
const LOOK_MS = 60_000;

/** Kit's script in the container is a program for Node. */
async function hasNode(runtime: ContainerRuntime, image: string, work: Work): Promise<boolean> {
  const looks = `process.exit(Number.parseInt(process.versions.node) >= ${LEAST_NODE} ? 0 : 1)`;
  const argv = ['run', '--rm', '--network=none', '--entrypoint=', image, 'node', '-e', looks];
  return (await call(work, [runtime, ...argv], { timeoutMs: LOOK_MS })).exitCode === 0;
}

/**
 * The variables that the harness gets inside: what its adapter declares, and what kit tells a
 * session.
 */
function variablesOf(plan: LaunchPlan, inherited: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(plan.env).filter(([name, value]) => inherited[name] !== value || TOLD.test(name)),
  );
}

/**
 * Puts a launch into a container. Nothing is started but the runtime, which is asked whether it
 * answers and may build the image.
 */
export async function openContainer(launch: ContainerLaunch): Promise<Opened> {
  const { sandbox, plan, logins, request, context, door } = launch;
  const work = { request, context };
  const { containers } = context;
  const search = {
    wanted: containers?.runtime ?? null,
    cwd: request.sandboxRoot,
    env: context.env,
    spawn: context.spawn,
  };
  const found = await findContainerRuntime(search);
  if ('problem' in found)
    return {
      ok: false,
      message: `the harness is sandboxed, and ${found.problem}.${found.hint === undefined ? '' : ` ${found.hint}`}`,
    };
  const { runtime } = found;
  const chosen = await imageFor(runtime, { sandbox, ...work });
  if ('problem' in chosen) return { ok: false, message: `the harness is sandboxed, and ${chosen.problem}` };
  if (door !== null && !(await hasNode(runtime, chosen.image, work)))
    return {
      ok: false,
      message: `the harness is sandboxed, and its image has no Node.js ${LEAST_NODE} or newer, by which the skills of its agent are reached. Put it into the image, as \`node\` on its PATH`,
    };
  const name = `kit-harness-${randomUUID()}`;
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const planned = planContainer({
    sandbox,
    runtime,
    image: chosen.image,
    name,
    owner: containers?.owner?.label ?? null,
    step: request.stepId,
    worktree: request.sandboxRoot,
    workspaceRoot: containers?.workspaceRoot ?? request.sandboxRoot,
    isRoot: uid === 0,
    user: uid === undefined || gid === undefined ? null : { uid, gid },
    argv: plan.argv,
    logins,
    door,
    variables: variablesOf(plan, context.env),
    hostEnv: context.env,
  });
  if (!planned.ok) return planned;
  const owner = containers?.owner;
  if (owner !== undefined) await removeLeftContainers({ ...search, runtime, owner, step: request.stepId });
  // The end of the client ends no program that ignores it: a container belongs to its runtime.
  const afterwards = { argv: removalOf(runtime, [name]), timeoutMs: REMOVAL_MS };
  return { ok: true, plan: { ...plan, argv: planned.argv, env: planned.env, afterwards } };
}
