import type { Json } from '../domain/json.js';
import type { MessagePart, ToolSpec } from '../domain/ports/model.js';
import { numberOf, ruleSetOf } from '../domain/snapshot.js';
import { CALLS_SPENT, correctionOf, EMPTY_ANSWER, NO_MORE_CALLS, nowAnswer } from '../prompts/turns.js';
import { MAX_CORRECTIONS, outputInvalid } from './answer-check.js';
import { askInRoom } from './ask-in-room.js';
import {
  type AgentConversation,
  ANSWER,
  noteAnswer,
  offerRetrieve,
  openConversation,
  type Phase,
  planRunOf,
  say,
  synthesisConversation,
} from './conversation.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import type { ModelValue } from './model-ask.js';
import { textOf } from './model-ends.js';
import { isParked, type Parked } from './park.js';
import { type CallingTurn, hopelessEnd, isCutInCall, refusedTurn, withoutUnreadable } from './refused-turns.js';
import type { ActivationValue } from './results.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';
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
  let conversation = openConversation(services, call);
  for (;;) {
    const verdict = await takeTurn(conversation);
    if (verdict === SYNTHESISE) conversation = await synthesisConversation(conversation);
    else if (verdict !== null) return { end: verdict, next: first + 1, diff: null, conversation };
    else conversation.turn += 1;
  }
}

async function takeTurn(conversation: AgentConversation): Promise<Verdict> {
  const { services } = conversation;
  const tools = toolsOfTurn(conversation);
  const { phase } = conversation;
  const key = `${conversation.draftKey}/t${conversation.turn}`;
  if (services.steps.rowOf(key)?.outcome == null && (conversation.turn > 0 || !conversation.isEntry))
    await stopAtBoundary(services);
  const outcome = await askInRoom(conversation, key, tools);
  if (outcome.status === 'failed') return { outcome };
  noteAnswer(conversation, outcome.value);
  const { finish, parts, reads = [] } = outcome.value;
  const calls = parts.filter((part): part is ToolCall => part.type === 'tool_call');
  const turn = { key, calls, finish, parts, reads };
  if (calls.length > 0 && phase.kind === 'tools')
    return (await answerCalls(conversation, { ...turn, closed: null })) ?? goOn(conversation, 'calls');
  if (calls.length > 0 && textOf(parts).trim() === '') return refuseCalls(conversation, turn);
  if (isPlanOpen(conversation)) return heardText(conversation, outcome.value);
  switch (phase.kind) {
    case 'tools':
      return judgeOpenAnswer(conversation, outcome.value);
    case 'answer':
      return judgeFinalAnswer(conversation, phase, outcome.value);
  }
}

/**
 * A coordinator whose plan is not settled has not answered yet, whatever it says: its plan goes on.
 */
const isPlanOpen = ({ ledger: { plan } }: AgentConversation): boolean =>
  plan !== null && plan.tasks.length > 0 && !plan.isSettled;

function heardText(conversation: AgentConversation, value: ModelValue): Promise<Verdict> {
  const parts = value.parts.filter(({ type }) => type !== 'tool_call');
  if (textOf(parts) !== '') conversation.messages.push({ role: 'assistant', parts });
  return goOn(conversation, 'text');
}

async function goOn(conversation: AgentConversation, cause: 'calls' | 'text'): Promise<Verdict> {
  if (!isPlanOpen(conversation)) return null;
  // Plans and what decides about them are modules that a run without them never loads.
  const { planNext } = await import('./planning/plan-run.js');
  const next = await planNext(conversation.services, planRunOf(conversation), cause);
  switch (next.go) {
    case 'on':
      return null;
    case 'report':
      say(conversation, next.text);
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
function toolsOfTurn(conversation: AgentConversation): readonly ToolSpec[] {
  const { services, activation } = conversation;
  if (conversation.phase.kind === 'answer') return conversation.tools ?? [];
  const tools = conversation.tools ?? offeredTools(services.snapshot, activation.node, conversation.ledger);
  if (tools.length > 0 && conversation.turn < numberOf(services.snapshot, 'KIT_MAX_TOOL_TURNS')) return tools;
  if (tools.length > 0) say(conversation, CALLS_SPENT);
  conversation.phase = ANSWER;
  return conversation.tools ?? [];
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
async function refuseCalls(conversation: AgentConversation, turn: CallTurn): Promise<Verdict> {
  if (conversation.retries >= numberOf(conversation.services.snapshot, 'KIT_AGENT_RETRIES')) {
    return failedEnd('empty_answer', 'the model only called tools where it was to answer');
  }
  conversation.retries += 1;
  return answerCalls(conversation, { ...turn, closed: NO_MORE_CALLS });
}

async function answerCalls(
  conversation: AgentConversation,
  turn: CallTurn & { readonly closed: string | null },
): Promise<Verdict> {
  const { key: turnKey, calls, closed, reads } = turn;
  const { services, activation, activate, ledger } = conversation;
  // A run of before goes on asking until its turns are spent.
  const hopeless = ruleSetOf(services.snapshot) >= 2 ? hopelessEnd(conversation.refused, turn) : null;
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
  if (ledger.isCut) offerRetrieve(conversation);
  Object.assign(conversation.results, dispatched.results);
  conversation.refused = refusedTurn(conversation.refused, { ...turn, answers: dispatched.answers });
  conversation.messages.push(
    { role: 'assistant', parts: withoutUnreadable(turn.parts) },
    { role: 'tool', parts: dispatched.answers.map((answer) => partOf(conversation, answer)) },
  );
  const pictures = dispatched.answers.flatMap(imageParts);
  if (pictures.length > 0) conversation.messages.push({ role: 'user', parts: pictures });
  for (const note of dispatched.notes) say(conversation, note);
  return null;
}

function partOf({ refs }: AgentConversation, { id, name, output, isError, ref }: CallAnswer): MessagePart {
  const part: MessagePart = { type: 'tool_result', id, name, output, isError };
  if (ref !== undefined) refs.set(part, ref);
  return part;
}

/**
 * An answer while tools might be called: taken as it is when it fits; otherwise one turn without
 * calls writes it to the schema.
 */
function judgeOpenAnswer(conversation: AgentConversation, value: ModelValue): Verdict {
  const text = textOf(value.parts);
  if (value.check?.valid === true) return answered(conversation, value.parts, value.check.value);
  if (conversation.activation.node.outputSchema === null)
    return text.trim() === '' ? askAgain(conversation) : answered(conversation, value.parts, text);
  if (text !== '') conversation.messages.push({ role: 'assistant', parts: value.parts });
  say(conversation, nowAnswer(value.check === null || value.check.valid ? null : value.check.errors));
  conversation.phase = ANSWER;
  return null;
}

function judgeFinalAnswer(
  conversation: AgentConversation,
  { corrections }: Extract<Phase, { kind: 'answer' }>,
  value: ModelValue,
): Verdict {
  const text = textOf(value.parts);
  if (value.check === null)
    return text.trim() === '' ? askAgain(conversation) : answered(conversation, value.parts, text);
  if (value.check.valid) return answered(conversation, value.parts, value.check.value);
  if (corrections >= MAX_CORRECTIONS) return outputInvalid(value.check.errors);
  if (text !== '') conversation.messages.push({ role: 'assistant', parts: value.parts });
  say(conversation, correctionOf(value.check.errors));
  conversation.phase = { kind: 'answer', corrections: corrections + 1 };
  return null;
}

/**
 * An answer without any text is asked for again, KIT_AGENT_RETRIES times; a direct answer is never
 * second-guessed.
 */
function askAgain(conversation: AgentConversation): Verdict {
  if (conversation.retries >= numberOf(conversation.services.snapshot, 'KIT_AGENT_RETRIES'))
    return failedEnd('empty_answer', 'the model answered nothing');
  conversation.retries += 1;
  say(conversation, EMPTY_ANSWER);
  return null;
}

/** The conversation ends with the answer, so that a revision can go on from it. */
function answered(conversation: AgentConversation, parts: readonly MessagePart[], output: Json): Verdict {
  // A call that nobody answers is not part of a conversation.
  conversation.messages.push({ role: 'assistant', parts: parts.filter(({ type }) => type !== 'tool_call') });
  return { outcome: { status: 'ok', value: { output } } };
}
