import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ExecutorContext,
  type ExecutorRequest,
  findContainerRuntime,
  REMOVAL_MS,
  removalOf,
  removeLeftContainers,
} from '@kit-run/kit/plugin';
import { foldersOf, type Login } from '../launch/credential-paths.js';
import type { LaunchPlan } from '../launch/plan.js';
import { type ContainerRequest, planContainer } from './container.js';
import { hasNode, imageFor, LEAST_NODE } from './image-runtime.js';

export type Opened =
  | { readonly ok: true; readonly plan: LaunchPlan }
  | { readonly ok: false; readonly message: string };

/** What kit tells every process of a session, beside what the adapter declares. */
const ALWAYS_PASSED = /^(TRACEPARENT|KIT_)/;

export interface ContainerLaunch extends Pick<ContainerRequest, 'sandbox' | 'logins' | 'launchSocket'> {
  readonly plan: LaunchPlan;
  readonly request: ExecutorRequest;
  readonly context: ExecutorContext;
}

/**
 * The variables that the harness gets inside: what its adapter declares, and what kit tells a
 * session.
 */
function variablesOf(plan: LaunchPlan, inherited: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(plan.env).filter(([name, value]) => inherited[name] !== value || ALWAYS_PASSED.test(name)),
  );
}

/**
 * HOME of a program that keeps its sessions there: a folder beside its worktree, so that the next
 * launch goes on with them. Null: there is no place for one, and HOME goes with the container.
 */
async function keptHome(
  { companionDir }: Pick<ExecutorRequest, 'companionDir'>,
  logins: readonly Login[],
): Promise<string | null> {
  if (companionDir === undefined) return null;
  await mkdir(companionDir, { recursive: true, mode: 0o700 });
  // Beside a login it may write; the runtime would make these folders as somebody else.
  for (const folder of foldersOf(logins)) await mkdir(join(companionDir, folder), { recursive: true, mode: 0o700 });
  return companionDir;
}

/**
 * Puts a launch into a container. Nothing is started but the runtime, which is asked whether it
 * answers and may build the image.
 */
export async function openContainer(launch: ContainerLaunch): Promise<Opened> {
  const { sandbox, plan, logins, request, context, launchSocket } = launch;
  const { containers } = context;
  const host = { cwd: request.sandboxRoot, env: context.env, spawn: context.spawn };
  const search = { ...host, wanted: containers?.runtime ?? null };
  const workspaceRoot = containers?.workspaceRoot ?? request.sandboxRoot;
  const found = await findContainerRuntime(search);
  if ('problem' in found)
    return {
      ok: false,
      message: `the harness is sandboxed, and ${found.problem}.${found.hint === undefined ? '' : ` ${found.hint}`}`,
    };
  const { runtime } = found;
  const chosen = await imageFor(runtime, { sandbox, fallback: containers?.image ?? null, workspaceRoot }, host);
  if ('problem' in chosen) return { ok: false, message: `the harness is sandboxed, and ${chosen.problem}` };
  if (launchSocket !== null && !(await hasNode(runtime, chosen.image, host)))
    return {
      ok: false,
      message: `the harness is sandboxed, and its image has no Node.js ${LEAST_NODE} or newer, by which kit is reached from inside. Put it into the image, as \`node\` on its PATH`,
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
    workspaceRoot,
    home: await keptHome(request, logins),
    isRoot: uid === 0,
    user: uid === undefined || gid === undefined ? null : { uid, gid },
    argv: plan.argv,
    logins,
    launchSocket,
    variables: variablesOf(plan, context.env),
    hostEnv: context.env,
  });
  if (!planned.ok) return planned;
  const owner = containers?.owner;
  if (owner !== undefined) await removeLeftContainers({ ...search, runtime, owner, step: request.stepId });
  // The end of the client ends no program that ignores it: a container belongs to its runtime.
  const afterwards = { argv: removalOf(runtime, [name]), timeoutMs: REMOVAL_MS, word: name };
  return { ok: true, plan: { ...plan, argv: planned.argv, env: planned.env, afterwards } };
}
