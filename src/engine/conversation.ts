import type { Json } from '../domain/json.js';
import type { MessagePart, ModelMessage, ToolSpec } from '../domain/ports/model.js';
import { ruleSetOf } from '../domain/snapshot.js';
import { FOR_ANOTHER } from '../prompts/turns.js';
import { type Activate, type Activation, textTask } from './activation-call.js';
import type { ContextUse } from './context/room.js';
import type { DraftCall, Speaker } from './drafts.js';
import { conversationMessages, historyMessages } from './history.js';
import type { ModelCall, ModelValue } from './model-ask.js';
import { fallbackOf } from './model-call.js';
import type { RunningPlan } from './planning/plan.js';
import { newPlan } from './planning/plan.js';
import type { RefusedTurn } from './refused-turns.js';
import { NONE_SEEN, type SeenDocuments } from './seen-documents.js';
import type { RunServices } from './services.js';
import type { ToolLedger } from './tool-call.js';
import { newLedger, toolsOf } from './tools.js';

/**
 * The conversation of one activation, as program order builds it; nothing in it is read from a
 * clock or a store.
 */
export interface AgentConversation {
  readonly services: RunServices;
  readonly activation: Activation;
  readonly activate: Activate;
  /** `<activation>/d<n>`: the turns hang below it. */
  readonly draftKey: string;
  readonly messages: ModelMessage[];
  readonly ledger: ToolLedger;
  /** Output of each child that answered, by id: what `x-equals` compares with. */
  readonly results: Record<string, Json>;
  turn: number;
  /** How often an answer that says nothing was asked for again. */
  retries: number;
  /** Whether the turn before this one got nowhere with its calls. */
  refused: RefusedTurn | null;
  readonly speaker: Speaker;
  /** The first draft of its agent, whose entry was a boundary. */
  readonly isEntry: boolean;
  /**
   * Messages that are there before the model says a word; but for earlier turns of a conversation
   * they are never made shorter.
   */
  opening: number;
  /** As in `EndedConversation`. */
  earlier: number;
  /** As in `EndedConversation`. */
  readonly refs: Map<MessagePart, string>;
  /**
   * How full the window was after `upTo` messages; null = nobody knows how large it is, or a run of
   * before rule set 4.
   */
  context: (ContextUse & { readonly upTo: number }) | null;
  /** Who else may be asked, from whoever answered last; empty: nobody. */
  fallback: Pick<ModelCall, 'fallback'>;
  /** As in `EndedConversation`. */
  tools: readonly ToolSpec[] | null;
  phase: Phase;
  documents: SeenDocuments;
}

/**
 * `tools`: the model may call tools. `answer`: it writes its answer without a call, after that many
 * corrections of an answer that did not fit its schema.
 */
export type Phase = { readonly kind: 'tools' } | { readonly kind: 'answer'; readonly corrections: number };

const TOOLS: Phase = { kind: 'tools' };
/** Nothing of the answer was corrected yet. */
export const ANSWER: Phase = { kind: 'answer', corrections: 0 };

/** Corrections of the answer so far; none where tools may be called. */
export const correctionsOf = ({ phase }: Pick<AgentConversation, 'phase'>): number =>
  phase.kind === 'answer' ? phase.corrections : 0;

/** A revision goes on where the answer was given. */
export function openConversation(
  services: RunServices,
  { activation, activate, first, revise, recalled = '' }: DraftCall,
): AgentConversation {
  const { snapshot } = services;
  const mayCall = revise?.mayCall ?? true;
  // Who calls no tools plans nothing anew.
  const ledger = newLedger(mayCall ? newPlan(snapshot, activation.node) : null);
  if (revise?.mayCall === true) {
    const { satisfied, isCut } = revise.conversation.ledger;
    for (const skill of satisfied) ledger.satisfied.add(skill);
    ledger.isCut = isCut;
  }
  const isOfBefore = ruleSetOf(snapshot) < 3;
  const speaker = revise?.conversation.speaker ?? speakerOf(services, activation);
  const messages =
    revise === undefined ? openingMessages(services, activation, recalled) : [...revise.conversation.messages];
  const conversation: AgentConversation = {
    services,
    activation,
    activate,
    draftKey: `${activation.key}/d${first}`,
    messages,
    opening: revise?.conversation.opening ?? messages.length,
    earlier: revise?.conversation.earlier ?? conversationMessages(services.snapshot, activation).length,
    refs: new Map(revise?.conversation.refs),
    context: null,
    fallback: revise?.conversation.fallback ?? fallbackOf(speaker.model),
    speaker,
    ledger,
    tools: isOfBefore ? null : (revise?.conversation.tools ?? toolsOf(snapshot, activation.node, ledger)),
    results: { ...revise?.conversation.results },
    turn: 0,
    retries: 0,
    refused: null,
    phase: mayCall ? TOOLS : ANSWER,
    documents: NONE_SEEN,
    isEntry: first === 0,
  };
  if (revise !== undefined) say(conversation, revise.words);
  return conversation;
}

/**
 * The first turn of a synthesizer is a boundary like any later one: minutes of batches may lie
 * before it.
 */
export async function synthesisConversation(conversation: AgentConversation): Promise<AgentConversation> {
  const { synthesisMessages, synthesizerOf } = await import('./planning/synthesis.js');
  const { services, draftKey } = conversation;
  const run = planRunOf(conversation);
  const messages = [...synthesisMessages(services, run)];
  const speaker = synthesizerOf(services, run);
  return {
    ...conversation,
    draftKey: `${draftKey}/synthesis`,
    messages,
    opening: messages.length,
    earlier: 0,
    refs: new Map(),
    context: null,
    fallback: fallbackOf(speaker.model),
    speaker,
    ledger: newLedger(),
    tools: conversation.tools === null ? null : [],
    turn: 0,
    retries: 0,
    refused: null,
    phase: ANSWER,
    documents: NONE_SEEN,
    isEntry: false,
  };
}

export function planRunOf(conversation: AgentConversation): RunningPlan {
  const { activation, activate, draftKey, results, ledger } = conversation;
  if (ledger.plan === null) throw new Error('an agent without a plan plans nothing');
  return { activation, activate, draftKey, results, plan: ledger.plan };
}

function speakerOf(services: RunServices, { node }: Activation): Speaker {
  const model = services.snapshot.models[node.id];
  if (model === undefined) throw new Error(`snapshot holds no model for agent ${node.id}`);
  return { agentId: node.id, model, choice: node.model };
}

function openingMessages(services: RunServices, activation: Activation, recalled: string): ModelMessage[] {
  const { node, task } = activation;
  const isForAnother = activation.parentKey !== null && ruleSetOf(services.snapshot) >= 3;
  const prompt =
    isForAnother && node.systemPrompt !== null ? `${node.systemPrompt}\n\n${FOR_ANOTHER}` : node.systemPrompt;
  const system: ModelMessage[] = prompt === null ? [] : [{ role: 'system', parts: textTask(prompt) }];
  const history = historyMessages(services.snapshot, activation.history);
  const memory: ModelMessage[] = recalled === '' ? [] : [{ role: 'user', parts: textTask(recalled) }];
  // What is remembered depends on the task: before a conversation it would be another beginning
  // each turn.
  const said = conversationMessages(services.snapshot, activation);
  return [...system, ...said, ...memory, ...history, { role: 'user', parts: task }];
}

export function say(conversation: AgentConversation, text: string): void {
  conversation.messages.push({ role: 'user', parts: textTask(text) });
}

/** From the moment on that something was left out, what gives it back is on offer. */
export function offerRetrieve(conversation: AgentConversation): void {
  const { services, activation, ledger } = conversation;
  ledger.isCut = true;
  if (conversation.tools !== null && conversation.phase.kind === 'tools')
    conversation.tools = toolsOf(services.snapshot, activation.node, ledger);
}

/**
 * Who gave the last answer goes on with the conversation. What it says of the window: a run of
 * before rule set 4 is never made shorter.
 */
export function noteAnswer(conversation: AgentConversation, { context, served_by: served }: ModelValue): void {
  const { fallback } = conversation.fallback;
  if (served !== undefined && fallback !== undefined) {
    const at = fallback.models.findIndex((one) => one.provider === served.provider && one.model === served.model);
    conversation.fallback = { fallback: { ...fallback, from: at + 1 } };
  }
  if (context === undefined || ruleSetOf(conversation.services.snapshot) < 4) return;
  // Its own message comes next, and is counted with the answer.
  conversation.context = { ...context, upTo: conversation.messages.length + 1 };
}

/** From this part of the window on it is looked at whether a conversation can be made shorter. */
export const CROWDED_AT = 0.6;

/** A quick look: what was added since has no more tokens than its JSON has characters. */
export function isCrowded({ context, messages }: AgentConversation): boolean {
  if (context === null) return false;
  const { window, used, upTo } = context;
  const since = messages.slice(upTo).reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  return used === null || used + since >= CROWDED_AT * window;
}

/** What has to be called is called once; from then on the model decides. */
export const firstCall = ({ turn, speaker: { choice } }: AgentConversation): Pick<ModelCall, 'mustCall'> =>
  turn > 0 || choice.firstCall === undefined ? {} : { mustCall: choice.firstCall };
