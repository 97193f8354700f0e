import type { ModelChoice } from '../domain/agent-node.js';
import type { JsonObject } from '../domain/json.js';
import type { MessagePart, ModelMessage, ToolSpec } from '../domain/ports/model.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { Activate, Activation } from './activation-call.js';
import type { ModelCall } from './model-ask.js';
import type { Parked } from './park.js';
import type { ActivationValue } from './results.js';
import type { StepEnd } from './step-types.js';
import type { ToolLedger } from './tool-call.js';

/**
 * One draft of an activation, by a model or a harness alike; its task says what is to be done
 * otherwise than in the draft before.
 */
export interface DraftCall {
  readonly activation: Activation;
  /**
   * Number of its first key, `<activation>/d<first>`. Drafts of one activation are counted through:
   * retries of the funnel, rounds of rework, and the sessions of a harness that corrects its answer
   * (docs/design/journal.md#keys).
   */
  readonly first: number;
  /** What is remembered, as a block before the task; `''` = nothing. */
  readonly recalled?: string;
  readonly activate: Activate;
  /** Set where a model revises an answer of its own: its conversation goes on. */
  readonly revise?: Revise;
}

export interface Revise {
  readonly conversation: EndedConversation;
  /** What it is told of that answer. */
  readonly words: string;
  /** False: what is asked for is another answer and not more research, so it calls no tools. */
  readonly mayCall: boolean;
}

/** What a model agent said and was told in a draft. */
export interface EndedConversation {
  readonly messages: readonly ModelMessage[];
  /** How many of them were there before the model said a word. */
  readonly opening: number;
  /** How many of those were said in earlier turns of a conversation: the first after the prompt. */
  readonly earlier: number;
  /** What `context_retrieve` calls the results of calls, by the part that holds them. */
  readonly refs: ReadonlyMap<MessagePart, string>;
  /** Output of each child that answered, by id. */
  readonly results: JsonObject;
  readonly speaker: Speaker;
  /** Who else may be asked, from whoever answered last. */
  readonly fallback: Pick<ModelCall, 'fallback'>;
  /** What stands in all its requests; null: a run of before rule set 3, whose turns differ. */
  readonly tools: readonly ToolSpec[] | null;
  readonly ledger: Pick<ToolLedger, 'satisfied' | 'isCut'>;
}

/** Who speaks in a conversation: the agent itself, or the synthesizer of its plan. */
export interface Speaker {
  /** Its calls are traced and limited under this id. */
  readonly agentId: string;
  readonly model: RunSnapshot['models'][string];
  readonly choice: ModelChoice;
}

export interface DraftEnd {
  readonly end: StepEnd<ActivationValue> | Parked;
  /** First number that no step of this draft has. */
  readonly next: number;
  /** Unified diff of its last session; null for a model, and for a draft that failed. */
  readonly diff: string | null;
  /** Of a model whose draft succeeded. */
  readonly conversation?: EndedConversation;
}
