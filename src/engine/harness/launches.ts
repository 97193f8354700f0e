import { exactnessOf, readPermissions } from '../../domain/harness-call.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { Worktree } from '../../domain/ports/worktrees.js';
import type { ExecutorChoice } from '../../domain/workspace.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Activation } from '../activation-call.js';
import { concludeSession, type ExecutorValue } from '../executor-end.js';
import { openSandbox, type Sandbox } from '../executor-sandbox.js';
import { carryOutSession } from '../executor-session.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { askAboutCall, askAboutDoubt } from './ask-about.js';
import { type Asked, askedOf, type Decided, type LaunchValue } from './asked-call.js';
import { CallGate } from './call-gate.js';
import { askTheQuestion } from './questions.js';
import { decidedOf, type Going, notesOfLast, placeIn, placeOf } from './session-place.js';

/** One draft of an agent whose harness asks kit before each of its calls. */
export interface GatedDraft {
  readonly activation: Activation;
  readonly executor: Extract<ExecutorChoice, { kind: 'harness' }>;
  /** Key of the draft: `<activation>/d<n>`. */
  readonly key: string;
  /** Key of the draft whose answer this one corrects, in its worktree and session; null = none. */
  readonly before: string | null;
  readonly statement: string;
  /** What is corrected, for a session that knows the rest; null = nothing. */
  readonly further: string | null;
  /** Told of the worktree, which is removed by whoever ends the draft. */
  readonly opened: (worktree: Worktree) => void;
  /** What the log is told besides when the session has answered. */
  readonly finish: (end: StepEnd<ExecutorValue>) => Promise<StepEnd<ExecutorValue>>;
}

/** Calls of one draft that people can be asked about: who asks for more goes round in circles. */
const MAX_ASKS = 50;

/**
 * A draft as a row of launches `s0`, `s1`, ... of the program, each a step of its own, with the
 * question to people as a step between two (docs/design/decisions.md#harness-calls). While they
 * decide nothing is resident: the session and the worktree are kept, and the next launch goes on
 * with them.
 */
export async function runLaunches(
  services: RunServices,
  draft: GatedDraft,
): Promise<StepOutcome<ExecutorValue> | Parked> {
  let going: Going = { kind: 'anew' };
  for (let number = 0; ; number += 1) {
    const key = `${draft.key}/s${number}`;
    const outcome = await runLaunch(services, { draft, key, number, going });
    const next = await goOn(services, { draft, key, number, going }, outcome);
    if ('parked' in next || 'status' in next) return next;
    going = next;
  }
}

interface Launched {
  readonly draft: GatedDraft;
  readonly key: string;
  readonly number: number;
  readonly going: Going;
}

/** What comes after a launch: the end of the draft, a question to people, or the next launch. */
async function goOn(
  services: RunServices,
  { draft, key, number, going }: Launched,
  outcome: StepOutcome<LaunchValue>,
): Promise<StepOutcome<ExecutorValue> | Parked | Going> {
  const { activation, executor } = draft;
  const asked = askedOf(outcome);
  if (asked !== null) {
    if (number >= MAX_ASKS) return tooManyAsks(number);
    const { node } = activation;
    const answered =
      asked.call.kind === 'question'
        ? await askTheQuestion(services, { agentId: node.id, key, round: number, asked })
        : await askAboutCall(services, { node, key, round: number, asked });
    if (isParked(answered)) return answered;
    if (answered.status === 'failed' && answered.reason !== 'rejected') return answered;
    const decided: Decided =
      answered.status === 'ok'
        ? { asked, answer: 'approved', comment: answered.value.answer }
        : { asked, answer: 'rejected', comment: answered.message };
    return { kind: 'decided', decided };
  }
  if (outcome.status === 'ok') {
    const { output, diff } = outcome.value as Extract<LaunchValue, { kind: 'done' }>;
    return { status: 'ok', value: { output, diff } };
  }
  if (outcome.reason !== 'in_doubt' || executor.onInDoubt !== 'ask') return outcome;
  const notes = services.steps.rowOf(key)?.notes ?? {};
  const granted = notes.granted === undefined ? null : decidedOf(going);
  const place = placeIn(notes, placeOf(going));
  const answered = await askAboutDoubt(services, { agentId: activation.node.id, key, place, granted });
  if (isParked(answered)) return answered;
  if (!answered.goesOn) return outcome;
  // A grant that was not taken is still good.
  return { kind: 'doubt', from: place, decided: granted === null ? decidedOf(going) : answered.decided };
}

const tooManyAsks = (number: number): StepOutcome<never> => ({
  status: 'failed',
  reason: 'executor.too_many_asks',
  message: `people were asked about ${number} calls of one session, which is as many as one may have`,
});

function runLaunch(services: RunServices, launch: Launched): Promise<StepOutcome<LaunchValue>> {
  const { draft, key, going } = launch;
  const { executor, activation } = draft;
  const decided = decidedOf(going);
  return services.steps.run<LaunchValue>(
    {
      key,
      kind: 'harness',
      identity: {
        executor: executor.kind,
        ref: executor.ref,
        digest: services.snapshot.adapters[executor.ref]?.digest ?? null,
        goes_on: going.kind,
        call: decided === null ? null : { sha256: decided.asked.call.sha256, answer: decided.answer },
      },
      effects: 'write',
      onInDoubt: executor.onInDoubt,
      agentId: activation.node.id,
      units: 1,
    },
    (context) => carryOut(services, launch, context),
  );
}

async function carryOut(services: RunServices, launch: Launched, context: StepContext): Promise<StepEnd<LaunchValue>> {
  const { draft, key, going } = launch;
  const { activation, executor } = draft;
  const sandbox = await sandboxOf(services, launch, context);
  if (sandbox.kind === 'refused') return failedEnd(sandbox.reason, sandbox.message);
  draft.opened(sandbox.worktree);
  const before = await sandbox.worktree.diff();
  const gate = new CallGate(services, {
    node: activation.node,
    permissions: readPermissions(executor.config) ?? [],
    exactness: exactnessOf(services.snapshot.adapters[executor.ref]?.spec),
    context,
    // A session that begins anew knows nothing of what was asked before: it asks again.
    decided: sandbox.resumeToken === null ? null : decidedOf(going),
    worktreeSha256: sha256Hex(before),
  });
  const said = { session: sandbox.resumeToken, words: '' };
  const end = await carryOutSession(services, {
    key,
    activation,
    executor,
    statement: draft.statement,
    further: await furtherOf(services, launch, context),
    context,
    sandbox,
    gate,
    onEvent: (event) => {
      if (event.type === 'session') said.session = event.sessionId;
      if (event.type === 'message' && event.role === 'assistant') said.words = event.text;
    },
  });
  const { result, diff, events } = end;
  const { deferred } = gate;
  if (end.cut !== null || deferred === null || result.deferredCall !== deferred.call_id || said.session === null) {
    const concluded = await draft.finish(concludeSession(end));
    const { outcome } = concluded;
    return outcome.status === 'ok'
      ? { ...concluded, outcome: { status: 'ok', value: { kind: 'done', ...outcome.value } } }
      : { ...concluded, outcome };
  }
  const asked: Asked = {
    kind: 'asked',
    call: deferred,
    session: said.session,
    worktree: sandbox.worktree.path,
    base_commit: sandbox.worktree.baseCommit,
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
  if (going.kind === 'decided') return '';
  return number === 0 ? draft.further : null;
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
  return openSandbox(services, {
    key,
    config: executor.config,
    notes: { ...earlier, ...context.notes },
    ...(activation.view === undefined ? {} : { view: activation.view }),
  });
}
