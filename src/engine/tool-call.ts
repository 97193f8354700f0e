import type { Json, JsonObject } from '../domain/json.js';
import type { LinkedSkill } from '../domain/linked-skill.js';
import type { MessagePart } from '../domain/ports/model.js';
import type { Activate, Activation, Exchange } from './activation-call.js';
import type { Parked } from './park.js';
import type { Plan } from './planning/plan.js';
import type { PlanToolName } from './planning/plan-tools.js';
import type { ToolImage } from './skills/tool-result.js';
/** A `delegate_to_<child>` call that will be carried out. */
export interface DelegateCall {
  /** Place of the call in its response. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly childId: string;
  readonly task: string;
}

export interface PlanCall extends KeyedCall {
  readonly tool: PlanToolName;
  readonly input: JsonObject;
  readonly plan: Plan;
}

export type ToolCall = Extract<MessagePart, { type: 'tool_call' }>;

/** The result of one call, in call order: every call gets exactly one. */
export interface CallAnswer {
  /** Place of the call in its response: ids are the other side's, and not always distinct. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly output: Json;
  readonly isError: boolean;
  readonly images?: readonly ToolImage[];
  /** By which `context_retrieve` gives the whole of it; absent: it does not. */
  readonly ref?: string;
}

export type Dispatched =
  | {
      readonly kind: 'answered';
      readonly answers: readonly CallAnswer[];
      readonly results: JsonObject;
      readonly notes: readonly string[];
    }
  /**
   * A child failed: a failed agent fails the agent that needed it (docs/design/decisions.md#data).
   */
  | {
      readonly kind: 'failed';
      readonly childId: string;
      readonly reason: string;
      readonly message: string;
      readonly data: Json;
    }
  /** Something that was called waits for people; what ran beside it came to its own end. */
  | ({ readonly kind: 'parked' } & Parked);

export interface Dispatch {
  readonly activation: Activation;
  readonly activate: Activate;
  readonly ledger: ToolLedger;
  readonly turnKey: string;
  readonly calls: readonly ToolCall[];
  /** Tools that only read because their servers said so when they were offered. */
  readonly reads: readonly string[];
  /** The output limit ended the turn in the middle of a call. */
  readonly isCutOff: boolean;
  /** The agent was to answer and nothing else: each call is refused with this sentence. */
  readonly closed: string | null;
  /** People approved the one call before it was made. Absent: nobody was asked. */
  readonly isApproved?: boolean;
}

/** What is to be done with one call, decided in call order before anything runs. */
export type CallPlan =
  | { readonly do: 'delegate'; readonly call: DelegateCall }
  | ({ readonly do: 'skill'; readonly skill: LinkedSkill; readonly input: JsonObject } & KeyedCall)
  | ({ readonly do: 'retrieve'; readonly input: JsonObject } & KeyedCall)
  | ({ readonly do: 'plan' } & PlanCall)
  | ({ readonly do: 'refuse'; readonly reason: Refusal } & KeyedCall);

export interface KeyedCall {
  readonly call: ToolCall;
  readonly index: number;
  readonly key: string;
}

export type Refusal =
  | { readonly reason: 'too_many_calls'; readonly message: string }
  | { readonly reason: 'call_limit'; readonly message: string }
  | { readonly reason: 'invalid_arguments'; readonly message: string }
  | { readonly reason: 'requires'; readonly message: string }
  | { readonly reason: 'unknown_tool'; readonly message: string; readonly available: readonly string[] };

/**
 * Counters of one activation, recounted in program order on every replay
 * (docs/design/journal.md#counters).
 */
export interface ToolLedger {
  /** Tool name -> calls carried out. */
  readonly calls: Map<string, number>;
  /** Child id -> delegations. */
  readonly delegations: Map<string, number>;
  /** Child id -> what it was asked and answered so far in this activation, oldest first. */
  readonly exchanges: Map<string, Exchange[]>;
  /** Skills that returned successfully: the prerequisites of `requires`. */
  readonly satisfied: Set<string>;
  /** Key of the turn whose response last started all children in waves; null = none did. */
  wave: string | null;
  /** Something was left out of a result: from then on `context_retrieve` is on offer. */
  isCut: boolean;
  /** The plan of a coordinator; null for an agent that does not plan. */
  readonly plan: Plan | null;
}
