import type { Json } from '../domain/json.js';
import type { MessagePart, ToolSpec } from '../domain/ports/model.js';
import { ruleSetOf } from '../domain/snapshot.js';
import { CALLS_SPENT, correctionOf, EMPTY_ANSWER, NO_MORE_CALLS, nowAnswer } from '../prompts/turns.js';
import { MAX_CORRECTIONS, outputInvalid } from './answer-check.js';
import { askInRoom } from './ask-in-room.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import type { ModelValue } from './model-ask.js';
import { textOf } from './model-ends.js';
import { isParked, type Parked } from './park.js';
import { type CallingTurn, hopelessEnd, isCutInCall, refusedTurn, withoutUnreadable } from './refused-turns.js';
import type { ActivationValue } from './results.js';
import { numberOf, type RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';
import { noteAnswer, offerRetrieve, openTalk, planRunOf, say, synthesisTalk, type Talk } from './talk.js';
import type { CallAnswer, ToolCall } from './tool-call.js';
import { dispatchCalls, imageParts } from './tool-calls.js';
import { offeredTools } from './tools.js';

/** The plan is settled, and a synthesizer writes the answer in a conversation of its own. */
const SYNTHESISE = 'synthesise';

type Verdict = StepEnd<ActivationValue> | Parked | typeof SYNTHESISE | null;

/**
 * One draft of a model agent: turns of one conversation until it answers, in the right shape, or
 * fails with a reason.
 */
export async function runModelAgent(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  const { first } = call;
  let talk = openTalk(services, call);
  for (;;) {
    const verdict = await takeTurn(talk);
    if (verdict === SYNTHESISE) talk = await synthesisTalk(talk);
    else if (verdict !== null) return { end: verdict, next: first + 1, diff: null, conversation: talk };
    else talk.turn += 1;
  }
}

async function takeTurn(talk: Talk): Promise<Verdict> {
  const { services } = talk;
  const tools = toolsOfTurn(talk);
  const isOpen = talk.final === null;
  const key = `${talk.draftKey}/t${talk.turn}`;
  if (services.steps.rowOf(key)?.outcome == null && (talk.turn > 0 || !talk.isEntry)) await stopAtBoundary(services);
  const outcome = await askInRoom(talk, key, tools);
  if (outcome.status === 'failed') return { outcome };
  noteAnswer(talk, outcome.value);
  const { finish, parts, reads = [] } = outcome.value;
  const calls = parts.filter((part): part is ToolCall => part.type === 'tool_call');
  const turn = { key, calls, finish, parts, reads };
  if (calls.length > 0 && isOpen) return (await answerCalls(talk, { ...turn, closed: null })) ?? goOn(talk, 'calls');
  if (calls.length > 0 && textOf(parts).trim() === '') return refuseCalls(talk, turn);
  if (isPlanOpen(talk)) return heardText(talk, outcome.value);
  return isOpen ? judgeOpenAnswer(talk, outcome.value) : judgeFinalAnswer(talk, outcome.value);
}

/**
 * A coordinator whose plan is not settled has not answered yet, whatever it says: its plan goes on.
 */
const isPlanOpen = ({ ledger: { plan } }: Talk): boolean => plan !== null && plan.tasks.length > 0 && !plan.isSettled;

function heardText(talk: Talk, value: ModelValue): Promise<Verdict> {
  const parts = value.parts.filter(({ type }) => type !== 'tool_call');
  if (textOf(parts) !== '') talk.messages.push({ role: 'assistant', parts });
  return goOn(talk, 'text');
}

async function goOn(talk: Talk, cause: 'calls' | 'text'): Promise<Verdict> {
  if (!isPlanOpen(talk)) return null;
  // Plans and what decides about them are modules that a run without them never loads.
  const { planNext } = await import('./planning/plan-run.js');
  const next = await planNext(talk.services, planRunOf(talk), cause);
  switch (next.go) {
    case 'on':
      return null;
    case 'tell':
      say(talk, next.text);
      return null;
    case 'synthesise':
      return SYNTHESISE;
    case 'end':
      return next.end;
  }
}

/**
 * The tools of a request. None may be called once the answer is being written, or when the turns of
 * the tool loop are spent (KIT_MAX_TOOL_TURNS); before rule set 3 there were none then.
 */
function toolsOfTurn(talk: Talk): readonly ToolSpec[] {
  const { services, activation } = talk;
  if (talk.final !== null) return talk.tools ?? [];
  const tools = talk.tools ?? offeredTools(services.snapshot, activation.node, talk.ledger);
  if (tools.length > 0 && talk.turn < numberOf(services.snapshot, 'KIT_MAX_TOOL_TURNS')) return tools;
  if (tools.length > 0) say(talk, CALLS_SPENT);
  talk.final = 0;
  return talk.tools ?? [];
}

interface CallTurn extends CallingTurn {
  readonly key: string;
  readonly parts: readonly MessagePart[];
  readonly reads: readonly string[];
}

/**
 * Calls where none was offered, and no answer: each is refused, and the agent is asked once more,
 * as for an empty answer.
 */
async function refuseCalls(talk: Talk, turn: CallTurn): Promise<Verdict> {
  if (talk.nudges >= numberOf(talk.services.snapshot, 'KIT_AGENT_RETRIES')) {
    return failedEnd('empty_answer', 'the model only called tools where it was to answer');
  }
  talk.nudges += 1;
  return answerCalls(talk, { ...turn, closed: NO_MORE_CALLS });
}

async function answerCalls(talk: Talk, turn: CallTurn & { readonly closed: string | null }): Promise<Verdict> {
  const { key: turnKey, calls, closed, reads } = turn;
  const { services, activation, activate, ledger } = talk;
  // A run of before goes on asking until its turns are spent.
  const hopeless = ruleSetOf(services.snapshot) >= 2 ? hopelessEnd(talk.refused, turn) : null;
  if (hopeless !== null) return hopeless;
  const isCutOff = isCutInCall(turn);
  const dispatched = await dispatchCalls(services, {
    ...{ activation, activate, ledger, turnKey, calls, reads, closed, isCutOff },
  });
  if (isParked(dispatched)) return { parked: dispatched.parked };
  if (dispatched.kind === 'failed') {
    const { reason, message, data, childId } = dispatched;
    return failedEnd(reason, `${childId}: ${message}`, { agent: childId, cause: data });
  }
  if (ledger.isCut) offerRetrieve(talk);
  Object.assign(talk.results, dispatched.results);
  talk.refused = refusedTurn(talk.refused, { ...turn, answers: dispatched.answers });
  talk.messages.push(
    { role: 'assistant', parts: withoutUnreadable(turn.parts) },
    { role: 'tool', parts: dispatched.answers.map((answer) => partOf(talk, answer)) },
  );
  const pictures = dispatched.answers.flatMap(imageParts);
  if (pictures.length > 0) talk.messages.push({ role: 'user', parts: pictures });
  for (const note of dispatched.notes) say(talk, note);
  return null;
}

function partOf({ refs }: Talk, { id, name, output, isError, ref }: CallAnswer): MessagePart {
  const part: MessagePart = { type: 'tool_result', id, name, output, isError };
  if (ref !== undefined) refs.set(part, ref);
  return part;
}

/**
 * An answer while tools might be called: taken as it is when it fits; otherwise one turn without
 * calls writes it to the schema.
 */
function judgeOpenAnswer(talk: Talk, value: ModelValue): Verdict {
  const text = textOf(value.parts);
  if (value.check?.valid === true) return answered(talk, value.parts, value.check.value);
  if (talk.activation.node.outputSchema === null)
    return text.trim() === '' ? nudge(talk) : answered(talk, value.parts, text);
  if (text !== '') talk.messages.push({ role: 'assistant', parts: value.parts });
  say(talk, nowAnswer(value.check === null || value.check.valid ? null : value.check.errors));
  talk.final = 0;
  return null;
}

function judgeFinalAnswer(talk: Talk, value: ModelValue): Verdict {
  const text = textOf(value.parts);
  if (value.check === null) return text.trim() === '' ? nudge(talk) : answered(talk, value.parts, text);
  if (value.check.valid) return answered(talk, value.parts, value.check.value);
  const attempt = talk.final ?? 0;
  if (attempt >= MAX_CORRECTIONS) return outputInvalid(value.check.errors);
  if (text !== '') talk.messages.push({ role: 'assistant', parts: value.parts });
  say(talk, correctionOf(value.check.errors));
  talk.final = attempt + 1;
  return null;
}

/**
 * An answer without any text is asked for again, KIT_AGENT_RETRIES times; a direct answer is never
 * second-guessed.
 */
function nudge(talk: Talk): Verdict {
  if (talk.nudges >= numberOf(talk.services.snapshot, 'KIT_AGENT_RETRIES'))
    return failedEnd('empty_answer', 'the model answered nothing');
  talk.nudges += 1;
  say(talk, EMPTY_ANSWER);
  return null;
}

/** The conversation ends with the answer, so that a revision can go on from it. */
function answered(talk: Talk, parts: readonly MessagePart[], output: Json): Verdict {
  // A call that nobody answers is no part of a conversation.
  talk.messages.push({ role: 'assistant', parts: parts.filter(({ type }) => type !== 'tool_call') });
  return { outcome: { status: 'ok', value: { output } } };
}
