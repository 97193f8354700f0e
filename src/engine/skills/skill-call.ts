import type { Json, JsonObject } from '../../domain/json.js';
import type { LinkedImplementation, LinkedSkill } from '../../domain/linked-skill.js';
import type { Activation } from '../activation-call.js';
import type { StepContext } from '../step-types.js';
import type { ToolImage } from './tool-result.js';

export interface SkillCall {
  readonly activation: Activation;
  readonly skill: LinkedSkill;
  readonly key: string;
  readonly input: JsonObject;
  /**
   * Its result enters a conversation, so the context compression of the run applies. Default false:
   * somebody reads it whole.
   */
  readonly isForModel?: boolean;
  /** People approved this very call before it was made. Default false: they are asked. */
  readonly isApproved?: boolean;
}

/** A call that another agent, or another topology, answers. */
export interface AgentCall {
  readonly call: SkillCall;
  readonly agent: Extract<LinkedImplementation, { type: 'agent' }>;
  readonly context: StepContext;
}

/**
 * What goes back to the model, and whether it counts as done. A refusal or failure is data with a
 * status and a reason.
 */
export interface SkillResult {
  readonly status: 'ok' | 'failed' | 'denied';
  readonly output: Json;
  /** Pictures that belong to the result. */
  readonly images?: readonly ToolImage[];
  /** Where the result comes from, said after it: `<server>/<tool>`. */
  readonly source?: string;
  /** By which `context_retrieve` gives the whole of it; absent: it does not. */
  readonly ref?: string;
  /** Something was left out, and `context_retrieve` gives it. Absent: no. */
  readonly isCut?: boolean;
}
