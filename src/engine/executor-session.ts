import { messageOf } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import type { ExecutorResult } from '../domain/ports/executor.js';
import type { ProcessSpec, SupervisedProcess } from '../domain/ports/system.js';
import type { Worktree } from '../domain/ports/worktrees.js';
import { unverified, verifiedOf } from '../govern/harness/verified.js';
import { objectOf } from '../lib/json.js';
import { concludeSession, type ExecutorValue, type SessionEnd } from './executor-end.js';
import { recordEvent } from './executor-record.js';
import { hasWrongUsage, readExecutorResult, resultEvent, threwResult } from './executor-result.js';
import { isGoneOnWith, isLeaseOver, leaveForLease } from './lease-over.js';
import type { NewEvent } from './new-event.js';
import type { RunServices } from './services.js';
import { profileOf, withDiff } from './session-diff.js';
import { sessionLog } from './session-log.js';
import type { Session } from './session-request.js';
import { requestOf, variablesOf } from './session-request.js';
import { stepEnv } from './step-env.js';
import { StepFailure } from './step-failure.js';
import type { StepEnd } from './step-types.js';
import { Unfinished } from './unfinished.js';

/**
 * Runs one session in its worktree: notes first, then the executor, then the diff;
 * `executor.result` however it ends. The worktree of a session with a result is left to the caller,
 * who removes it once the result is durable: until then a takeover goes on in it.
 */
export async function runSession(services: RunServices, session: Session): Promise<StepEnd<ExecutorValue>> {
  try {
    return concludeSession(await carryOutSession(services, session));
  } catch (error) {
    // Whoever goes on with the run does so in this very worktree, or is at it already.
    if (!(error instanceof Unfinished && isGoneOnWith(services, error)))
      await removeWorktree(services, session.sandbox.worktree);
    throw error;
  }
}

/**
 * The session itself, whatever becomes of its worktree afterwards. Throws Unfinished where the run
 * ends without it.
 */
export async function carryOutSession(services: RunServices, session: Session): Promise<SessionEnd> {
  const { context, sandbox } = session;
  const { worktree } = sandbox;
  const startedAt = services.clock.now();
  // A session that goes on is known before its program says so: it may die before.
  const known = sandbox.resumeToken === null ? {} : { session: sandbox.resumeToken };
  const { home } = worktree;
  const where = home === undefined ? {} : { worktrees: home.id, worktrees_at: home.at };
  const notes = { worktree: worktree.path, base_commit: worktree.baseCommit, ...where, ...known };
  await context.note(notes, [startedEvent(services, session)]);
  const versionReported = warnOfVersion(services, session);
  let isLeaseLapsed = false;
  const executed = await execute(services, session, () => {
    isLeaseLapsed = true;
  });
  await versionReported;
  if (isLeaseLapsed) throw leaveForLease(services);
  const read = readExecutorResult(executed);
  if (hasWrongUsage(executed))
    services.log.warn('an executor told a usage that no session can have; its cost is unknown', {
      job: services.jobId,
      key: context.stepId,
    });
  const { result, diff } = await withDiff(worktree, read, profileOf(services.snapshot, session));
  const ended = resultEvent(session, { result, diff, durationMs: Math.max(0, services.clock.now() - startedAt) });
  const cut = services.steps.deps.cutOff?.() ?? overOf(result);
  if (cut === null && services.signal.aborted) {
    await context.emit(ended);
    throw new Unfinished('abort');
  }
  return { result, diff, events: [ended], cut };
}

const overOf = ({ loginOver }: ExecutorResult): StepFailure | null =>
  loginOver === undefined ? null : new StepFailure(loginOver.code, loginOver.message);

/** Says beside the work, which it does not hold up, that nobody has verified this version. */
async function warnOfVersion(services: RunServices, { executor, context, activation }: Session): Promise<void> {
  const spec = executor.kind === 'harness' ? services.snapshot.adapters[executor.ref]?.spec : undefined;
  const verified = spec === undefined ? null : verifiedOf(spec);
  const program = verified?.program ?? programOf(spec);
  if (verified === null || program === null || services.askVersion === undefined) return;
  const said = await services.askVersion(program).catch(() => null);
  // A program that says nothing is not another version: how it ends tells what is wrong with it.
  const text = said === null ? null : unverified(verified, said);
  if (text === null) return;
  await recordEvent(context, activation.node.id, {
    type: 'message',
    role: 'warning',
    text: `${text}: kit adapters verify ${executor.ref}`,
  });
}

/** What lies in a container is not asked from outside. */
function programOf(spec: JsonObject | undefined): string | null {
  if (spec === undefined || objectOf(spec.sandbox).kind === 'container') return null;
  const { command } = objectOf(spec.launch);
  const [program] = Array.isArray(command) ? command : [];
  return typeof program === 'string' && !program.includes('{') ? program : null;
}

export async function removeWorktree(services: Pick<RunServices, 'log'>, worktree: Worktree): Promise<void> {
  await worktree.remove().catch((error: unknown) =>
    services.log.warn('a worktree could not be removed', {
      path: worktree.path,
      error: messageOf(error),
    }),
  );
}

async function execute(services: RunServices, session: Session, onLeaseOver: () => void): Promise<ExecutorResult> {
  const { executor, context, activation } = session;
  const keep = sessionLog(context, activation.node.id);
  try {
    const running = await services.executor(
      executor.kind === 'harness' ? 'harness' : executor.ref,
      executor.config,
      session.key,
    );
    return await running.run(requestOf(services, session), {
      signal: services.signal,
      log: services.log,
      clock: services.clock,
      env: {
        ...services.childEnv,
        ...(await variablesOf(services, session)),
        ...stepEnv(services, { key: session.key, context }),
      },
      spawn: (spec, stop) => spawnWatched(services, { spec, stop, onLeaseOver }),
      ...(services.containers === undefined
        ? {}
        : { containers: { ...services.containers, workspaceRoot: services.workspaceRoot } }),
      ...(session.gate === undefined ? {} : { gate: session.gate }),
      ...(session.tools === undefined ? {} : { tools: session.tools }),
      emit: async (reported) => {
        const event = session.named?.(reported) ?? reported;
        session.onEvent?.(event);
        if (session.isReportedElsewhere?.(event) === true) return;
        await keep(event);
      },
    });
  } catch (error) {
    if (error instanceof Unfinished || error instanceof StepFailure) throw error;
    return threwResult(error);
  }
}

interface WatchedSpawn {
  readonly spec: ProcessSpec;
  readonly stop: AbortSignal | undefined;
  readonly onLeaseOver: () => void;
}

/**
 * A process of the session; told when the lease ended it, which the executor itself cannot tell
 * from a stop.
 */
function spawnWatched(services: RunServices, { spec, stop, onLeaseOver }: WatchedSpawn): SupervisedProcess {
  const signal = stop === undefined ? services.signal : AbortSignal.any([services.signal, stop]);
  const child = services.processes.spawn(spec, services.lease, signal);
  child.done.then(
    (result) => isLeaseOver(services, result, stop) && onLeaseOver(),
    () => undefined,
  );
  return child;
}

/** What its adapter asks for, unless the operator has switched it off. */
function sandboxOf(services: RunServices, { executor }: Session): 'worktree' | 'container' {
  const spec = executor.kind === 'harness' ? services.snapshot.adapters[executor.ref]?.spec : undefined;
  return objectOf(spec?.sandbox).kind === 'container' && services.containers?.isDisabled !== true
    ? 'container'
    : 'worktree';
}

function startedEvent(services: RunServices, session: Session): NewEvent {
  const { activation, executor, sandbox } = session;
  return {
    type: 'executor.started',
    agentId: activation.node.id,
    skillId: null,
    payload: {
      kind: executor.kind === 'harness' ? 'harness' : executor.ref,
      ref: executor.ref,
      sandbox: sandboxOf(services, session),
      base_commit: sandbox.worktree.baseCommit,
      not_included: [...sandbox.worktree.notIncluded],
      resumed: sandbox.resumeToken !== null,
      lost: sandbox.lost,
    },
  };
}
