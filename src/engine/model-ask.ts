import type { ModelChoice } from '../domain/agent-node.js';
import type { FallbackModel } from '../domain/fallback-model.js';
import type { Json, JsonSchema } from '../domain/json.js';
import type { MessagePart, ModelMessage, ModelResponse, ToolSpec } from '../domain/ports/model.js';
import type { ContextUse } from './context/room.js';
import type { OfferedTools } from './describe-tools.js';
import type { SchemaError } from './services/run-ports.js';

/** Where a call goes that the model it was meant for cannot have. */
export interface Fallback {
  readonly models: readonly FallbackModel[];
  /** 0 = the model that was asked for, n = the n-th after it: who answered a conversation last. */
  readonly from: number;
}

/**
 * One model call as an agent or a skill makes it (docs/design/execution.md#output-schema).
 */
export interface ModelCall {
  readonly key: string;
  readonly agentId: string;
  readonly skillId: string | null;
  readonly purpose: 'turn' | 'correction' | 'skill' | 'continuation' | 'summary';
  /**
   * What earlier steps of the same answer gave before the output limit cut it off; absent = this is
   * its beginning.
   */
  readonly soFar?: AnswerSoFar;
  /** Units of the step budget; 0 for what no agent asked for. Default 1. */
  readonly units?: 0 | 1;
  /** Provider id of the snapshot, and model name. */
  readonly provider: string;
  readonly model: string;
  readonly choice: ModelChoice;
  /** Who else may be asked; absent: nobody. */
  readonly fallback?: Fallback;
  /** The model that this one is asked in place of; absent: of none. */
  readonly askedOf?: ServedBy;
  readonly messages: readonly ModelMessage[];
  /** Whether one of them holds a document. Absent: not known. */
  readonly holdsDocument?: boolean;
  readonly tools: readonly ToolSpec[];
  /** The agent is to answer now: its tools are there for the conversation alone. Absent: false. */
  readonly isClosed?: boolean;
  /** What the answer has to be a call of; says nothing where there are no tools. */
  readonly mustCall?: NonNullable<ModelChoice['firstCall']>;
  /**
   * What only the servers of tools know of them, asked inside the step, where its failure is the
   * step's. Absent: nobody needs to be asked.
   */
  readonly describe?: () => Promise<OfferedTools>;
  readonly outputSchema: JsonSchema | null;
  /** Judges an answer without tool calls; null = any answer will do. */
  readonly check: ((text: string) => Promise<AnswerCheck>) | null;
  /**
   * False while tools are on offer: an answer that does not fit then is not an attempt yet, and is
   * not reported as one.
   */
  readonly checkIsFinal: boolean;
  /** Corrections already spent; with `corrections` of them an invalid answer is final. */
  readonly attempt: number;
  readonly corrections: number;
  readonly activation: string;
}

export type AnswerCheck =
  | { readonly valid: true; readonly value: Json }
  | { readonly valid: false; readonly errors: readonly SchemaError[] };

/** A provider id of the snapshot, and a model name. */
export type ServedBy = { readonly provider: string; readonly model: string };

/** What a model step records. */
export type ModelValue = {
  readonly parts: readonly MessagePart[];
  readonly finish: ModelResponse['finish'];
  readonly check: AnswerCheck | null;
  /** As in `OfferedTools`; absent: none. */
  readonly reads?: readonly string[];
  /** The fallback model that answered; absent: the one that was asked for. */
  readonly served_by?: ServedBy;
  /** How full the window of the model was; absent: nobody knows how large it is. */
  readonly context?: ContextUse;
};

/** What there is of an answer, and how often it was cut off. */
export interface AnswerSoFar {
  readonly text: string;
  readonly cuts: number;
}
