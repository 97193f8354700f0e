import type { Json } from '../domain/json.js';
import type { MessagePart, ModelMessage, ToolSpec } from '../domain/ports/model.js';
import { ruleSetOf } from '../domain/snapshot.js';
import { FOR_ANOTHER } from '../prompts/turns.js';
import { type Activate, type Activation, textTask } from './activation-call.js';
import type { ContextUse } from './context/room.js';
import type { DraftCall, Voice } from './drafts.js';
import { conversationMessages, historyMessages } from './history.js';
import type { ModelCall, ModelValue } from './model-ask.js';
import { fallbackOf } from './model-call.js';
import type { PlanRun } from './planning/plan.js';
import { newPlan } from './planning/plan.js';
import type { RefusedTurn } from './refused-turns.js';
import { numberOf, type RunServices } from './services.js';
import type { ToolLedger } from './tool-call.js';
import { newLedger, toolsOf } from './tools.js';

/**
 * The conversation of one activation, as program order builds it; nothing in it is read from a
 * clock or a store.
 */
export interface Talk {
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
  nudges: number;
  /** Whether the turn before this one got nowhere with its calls. */
  refused: RefusedTurn | null;
  readonly voice: Voice;
  /** The first draft of its agent, whose entry was a boundary. */
  readonly isEntry: boolean;
  /**
   * Messages that are there before the model says a word; but for earlier turns of a conversation
   * they are never made shorter.
   */
  opening: number;
  /** As in `Conversation`. */
  earlier: number;
  /** As in `Conversation`. */
  readonly refs: Map<MessagePart, string>;
  /**
   * How full the window was after `upTo` messages; null = nobody knows how large it is, or a run of
   * before rule set 4.
   */
  context: (ContextUse & { readonly upTo: number }) | null;
  /** Who else may be asked, from whoever answered last; empty: nobody. */
  fallback: Pick<ModelCall, 'fallback'>;
  /** As in `Conversation`. */
  tools: readonly ToolSpec[] | null;
  /**
   * null: tools may be called; a number: the final answer, without a call, after that many
   * corrections.
   */
  final: number | null;
}

/** A revision goes on where the answer was given. */
export function openTalk(
  services: RunServices,
  { activation, activate, first, revise, recalled = '' }: DraftCall,
): Talk {
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
  const voice = revise?.conversation.voice ?? voiceOf(services, activation);
  const messages =
    revise === undefined ? openingMessages(services, activation, recalled) : [...revise.conversation.messages];
  const talk: Talk = {
    services,
    activation,
    activate,
    draftKey: `${activation.key}/d${first}`,
    messages,
    opening: revise?.conversation.opening ?? messages.length,
    earlier: revise?.conversation.earlier ?? conversationMessages(services.snapshot, activation).length,
    refs: new Map(revise?.conversation.refs),
    context: null,
    fallback: revise?.conversation.fallback ?? fallbackOf(voice.model),
    voice,
    ledger,
    tools: isOfBefore ? null : (revise?.conversation.tools ?? toolsOf(snapshot, activation.node, ledger)),
    results: { ...revise?.conversation.results },
    turn: 0,
    nudges: 0,
    refused: null,
    final: mayCall ? null : 0,
    isEntry: first === 0,
  };
  if (revise !== undefined) say(talk, revise.words);
  return talk;
}

/**
 * The first turn of a synthesizer is a boundary like any later one: minutes of batches may lie
 * before it.
 */
export async function synthesisTalk(talk: Talk): Promise<Talk> {
  const { synthesisMessages, synthesizerOf } = await import('./planning/synthesis.js');
  const { services, draftKey } = talk;
  const run = planRunOf(talk);
  const messages = [...synthesisMessages(services, run)];
  const voice = synthesizerOf(services, run);
  return {
    ...talk,
    draftKey: `${draftKey}/synthesis`,
    messages,
    opening: messages.length,
    earlier: 0,
    refs: new Map(),
    context: null,
    fallback: fallbackOf(voice.model),
    voice,
    ledger: newLedger(),
    tools: talk.tools === null ? null : [],
    turn: 0,
    nudges: 0,
    refused: null,
    final: 0,
    isEntry: false,
  };
}

export function planRunOf(talk: Talk): PlanRun {
  const { activation, activate, draftKey, results, ledger } = talk;
  if (ledger.plan === null) throw new Error('an agent without a plan plans nothing');
  return { activation, activate, draftKey, results, plan: ledger.plan };
}

function voiceOf(services: RunServices, { node }: Activation): Voice {
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
  const history = historyMessages(activation.history, numberOf(services.snapshot, 'KIT_HISTORY_TURNS'));
  const memory: ModelMessage[] = recalled === '' ? [] : [{ role: 'user', parts: textTask(recalled) }];
  // What is remembered depends on the task: before a conversation it would be another beginning
  // each turn.
  const said = conversationMessages(services.snapshot, activation);
  return [...system, ...said, ...memory, ...history, { role: 'user', parts: task }];
}

export function say(talk: Talk, text: string): void {
  talk.messages.push({ role: 'user', parts: textTask(text) });
}

/** From the moment on that something was left out, what gives it back is on offer. */
export function offerRetrieve(talk: Talk): void {
  const { services, activation, ledger } = talk;
  ledger.isCut = true;
  if (talk.tools !== null && talk.final === null) talk.tools = toolsOf(services.snapshot, activation.node, ledger);
}

/**
 * Who gave the last answer goes on with the conversation. What it says of the window: a run of
 * before rule set 4 is never made shorter.
 */
export function noteAnswer(talk: Talk, { context, served_by: served }: ModelValue): void {
  const { fallback } = talk.fallback;
  if (served !== undefined && fallback !== undefined) {
    const at = fallback.models.findIndex((one) => one.provider === served.provider && one.model === served.model);
    talk.fallback = { fallback: { ...fallback, from: at + 1 } };
  }
  if (context === undefined || ruleSetOf(talk.services.snapshot) < 4) return;
  // Its own message comes next, and is counted with the answer.
  talk.context = { ...context, upTo: talk.messages.length + 1 };
}

/** From this part of the window on it is looked at whether a conversation can be made shorter. */
export const CROWDED_AT = 0.6;

/** A quick look: what was added since has no more tokens than its JSON has characters. */
export function isCrowded({ context, messages }: Talk): boolean {
  if (context === null) return false;
  const { window, used, upTo } = context;
  const since = messages.slice(upTo).reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  return used === null || used + since >= CROWDED_AT * window;
}

/** What has to be called is called once; from then on the model decides. */
export const firstCall = ({ turn, voice: { choice } }: Talk): Pick<ModelCall, 'mustCall'> =>
  turn > 0 || choice.firstCall === undefined ? {} : { mustCall: choice.firstCall };
