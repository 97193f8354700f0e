import type { ExecutorChoice } from '../../domain/agent-node.js';
import { exactnessOf, isGated, readPermissions } from '../../domain/harness-call.js';
import { toolCalled } from '../../domain/harness-gateway.js';
import type { JsonObject } from '../../domain/json.js';
import type { ExecutorEvent } from '../../domain/ports/executor.js';
import type { Worktree } from '../../domain/ports/worktrees.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Activate, Activation } from '../activation-call.js';
import { concludeSession, type ExecutorValue, type SessionEnd } from '../executor-end.js';
import { openSandbox, type Sandbox } from '../executor-sandbox.js';
import { carryOutSession } from '../executor-session.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { CallGate } from './call-gate.js';
import type { Gateway } from './gateway.js';
import { hasSkills } from './has-gateway.js';
import type { DeferredCall, LaunchValue, PermissionRequest } from './launch-value.js';
import { decidedOf, type Going, notesOfLast, placeOf } from './session-place.js';
import { waitingIn } from './waiting-call.js';

/** One draft of an agent whose harness asks kit before each of its calls, or calls kit's tools. */
export interface GatedDraft {
  readonly activation: Activation;
  readonly activate: Activate;
  readonly executor: Extract<ExecutorChoice, { kind: 'harness' }>;
  /** Key of the draft: `<activation>/d<n>`. */
  readonly key: string;
  /** Key of the draft whose answer this one corrects, in its worktree and session; null = none. */
  readonly before: string | null;
  readonly statement: string;
  /** What is corrected, for a session that knows the rest; null = nothing. */
  readonly further: string | null;
  /** Called with the worktree, which is removed by whoever ends the draft. */
  readonly opened: (worktree: Worktree) => void;
  /** What the log is told besides when the session has answered. */
  readonly finish: (end: StepEnd<ExecutorValue>) => Promise<StepEnd<ExecutorValue>>;
}

/** One launch of its program. */
export interface Launched {
  readonly draft: GatedDraft;
  readonly key: string;
  readonly number: number;
  readonly going: Going;
}

/** Carries one launch out: its gateway, its worktree, its gate, then the session. */
export async function carryOutLaunch(
  services: RunServices,
  launch: Launched,
  context: StepContext,
): Promise<StepEnd<LaunchValue>> {
  const { draft, key, going } = launch;
  const { activation, executor } = draft;
  const gateway = await gatewayOf(services, launch, context);
  const sandbox = await sandboxOf(services, launch, context);
  if (sandbox.kind === 'refused') return failedEnd(sandbox.reason, sandbox.message);
  draft.opened(sandbox.worktree);
  // A session that begins anew knows nothing of what was asked before: it asks again.
  const decided = sandbox.resumeToken === null ? null : decidedOf(going);
  const spec = services.snapshot.adapters[executor.ref]?.spec;
  const gate = isGated(spec, executor.config)
    ? new CallGate(services, {
        node: activation.node,
        permissions: readPermissions(executor.config) ?? [],
        exactness: exactnessOf(spec),
        context,
        decided,
        worktreeSha256: decided === null ? null : sha256Hex(await sandbox.worktree.diff()),
        gateway,
      })
    : null;
  const said = { session: sandbox.resumeToken, words: '' };
  const session = carryOutSession(services, {
    key,
    activation,
    executor,
    statement: await statementOf(launch),
    further: await furtherOf(services, launch, context),
    context,
    sandbox,
    // One that was noted and asked nobody anything may never have been kept by its program.
    ...(gate === null ? {} : { gate, isBound: decided !== null }),
    ...(gateway === null ? {} : { tools: gateway, isReportedElsewhere: isOwnCall(gateway, spec) }),
    ...(decided === null ? {} : { named: (event) => namedCall(event, decided.asked.call) }),
    onEvent: (event) => {
      if (event.type === 'session') said.session = event.sessionId;
      if (event.type === 'message' && event.role === 'assistant') said.words = event.text;
    },
  });
  const end = await closing(session, gateway);
  gateway?.settle();
  if (gateway?.over != null) throw gateway.over;
  const { result, diff, events } = end;
  const place = { worktree: sandbox.worktree.path, base_commit: sandbox.worktree.baseCommit };
  const calls = gateway?.waiting ?? [];
  if (end.cut === null && result.status === 'success' && calls.length > 0) {
    const waits: LaunchValue = { kind: 'waits', calls, session: said.session, ...place };
    return { outcome: { status: 'ok', value: waits }, usage: result.usage, events };
  }
  const deferred = gate?.deferred ?? null;
  const isPutOff = deferred !== null && result.deferredCall === deferred.call_id && said.session !== null;
  if (end.cut !== null || !isPutOff || said.session === null || gate === null) {
    const concluded = await draft.finish(concludeSession(end));
    const { outcome } = concluded;
    return outcome.status === 'ok'
      ? { ...concluded, outcome: { status: 'ok', value: { kind: 'done', ...outcome.value } } }
      : { ...concluded, outcome };
  }
  const asked: PermissionRequest = {
    kind: 'asked',
    call: deferred,
    session: said.session,
    ...place,
    worktree_sha256: sha256Hex(await sandbox.worktree.diff()),
    diff: diff.slice(0, MAX_SHOWN_DIFF_CHARS).toWellFormed(),
    diff_bytes: Buffer.byteLength(diff),
    rationale: said.words.slice(0, MAX_RATIONALE_CHARS).toWellFormed(),
    exactness: gate.exactness,
  };
  return { outcome: { status: 'ok', value: asked }, usage: result.usage, events };
}

/**
 * What a session is told that goes on; null = that it was interrupted. With the call that people
 * decided about it is told nothing where the program itself takes the call up before its model
 * speaks; else the model is told, and asks for it again.
 */
async function furtherOf(
  services: RunServices,
  { draft, going, number }: Launched,
  { attempt }: StepContext,
): Promise<string | null> {
  const decided = decidedOf(going);
  if (decided !== null && exactnessOf(services.snapshot.adapters[draft.executor.ref]?.spec) === 'repeat') {
    const { callDecided } = await import('../../prompts/harness.js');
    const { asked, answer, comment } = decided;
    return callDecided({ tool: asked.call.tool, input: JSON.stringify(asked.call.input), answer, comment });
  }
  if (attempt > 1) return null;
  if (going.kind === 'answered') return (await import('./settle-waiting.js')).waitingText(going.calls);
  if (going.kind === 'decided') return '';
  return number === 0 ? draft.further : null;
}

/** However a session ends, its calls have ended before anything is made of it. */
async function closing(session: Promise<SessionEnd>, gateway: Gateway | null): Promise<SessionEnd> {
  try {
    return await session;
  } finally {
    await gateway?.close();
  }
}

/** A call of one of kit's own tools is a tool call of the run, and reported as one. */
function isOwnCall({ offered }: Gateway, spec: JsonObject = {}): (event: ExecutorEvent) => boolean {
  const names = offered.map(({ name }) => name);
  return (event) => event.type === 'tool_call' && toolCalled(spec, event.tool, names) !== null;
}

/** The program tells the end of a call that was put off, and no more which tool it is of. */
const namedCall = (event: ExecutorEvent, putOff: DeferredCall): ExecutorEvent =>
  event.type === 'tool_call' && event.tool === '' && event.id === putOff.call_id
    ? { ...event, tool: putOff.tool }
    : event;

/**
 * What a session is told that has to begin anew: the task, and which calls have their answer by
 * now.
 */
async function statementOf({ draft, going }: Launched): Promise<string> {
  if (going.kind !== 'answered') return draft.statement;
  return `${draft.statement}\n\n${(await import('./settle-waiting.js')).waitingText(going.calls)}`;
}

/** The tools of one launch; null = its agent has no skills. A server that is down is waited for. */
async function gatewayOf(
  services: RunServices,
  { draft, key, going, number }: Launched,
  context: StepContext,
): Promise<Gateway | null> {
  const { activation, activate } = draft;
  if (!hasSkills(services, activation.node)) return null;
  const before = services.steps.rowOf(`${draft.key}/s${number - 1}`)?.notes ?? {};
  const known = [...waitingIn(before), ...waitingIn(context.notes)];
  const hasDied = context.attempt > 1 || going.kind === 'doubt';
  // A harness without skills never loads this.
  const { openGateway } = await import('./gateway.js');
  return openGateway(services, { activation, activate, draft: draft.key, key, context, hasDied, known }).catch(
    async (error: unknown) => {
      const { waitForServer } = await import('../skills/tool-outage.js');
      const asking = { key, agentId: activation.node.id, skillId: null, isAwaited: true };
      await waitForServer(services, { asking, context }, error);
      throw error;
    },
  );
}

/** Of a longer diff people are shown the beginning; the digest is of all of it. */
const MAX_SHOWN_DIFF_CHARS = 32_000;
const MAX_RATIONALE_CHARS = 4000;

/**
 * The worktree that the session has, as long as it is there; else one of its own, and what was lost
 * is said.
 */
function sandboxOf(services: RunServices, { draft, key, going }: Launched, context: StepContext): Promise<Sandbox> {
  const { activation, executor } = draft;
  const from = placeOf(going);
  const earlier =
    going.kind === 'anew'
      ? notesOfLast(services, draft.before)
      : { session: from.session, worktree: from.worktree, base_commit: from.base_commit };
  return openSandbox(services, { key, activation, executor }, { ...earlier, ...context.notes });
}
