import type { JsonObject } from '../../domain/json.js';
import { isNotDone } from '../outage.js';
import type { Down } from '../outage-patience.js';
import type { RunServices } from '../services.js';
import { thrownEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import { Unfinished } from '../unfinished.js';
import { toolInput } from './mcp-tool.js';
import type { SkillCall } from './skill-call.js';
import { isToolSkill, type ToolSkill, toolFacts, withoutFixed } from './tool-facts.js';
import type { ToolRun } from './tool-progress.js';

/** A call with what its server says of the tool. */
export interface PreparedCall {
  /** Its skill has the effects that are known by now. */
  readonly call: SkillCall;
  /** What the arguments must fit; null: anything. */
  readonly inputs: JsonObject | null;
  /** Of a server's tool alone. */
  readonly tool: () => Omit<ToolRun, 'key' | 'context'>;
  /** Why it cannot be made: its server could not be asked. */
  readonly refused: StepEnd<never> | null;
  /** The server could not be asked because it is down. */
  readonly down: Down | null;
}

const noTool = (): never => {
  throw new Error('this call is none of a tool of a server');
};

/**
 * Effects that only the server knows are asked once, before the call has a row. From then on the
 * row says what they were: what is done about a call in doubt does not depend on whether its server
 * can be reached after the crash, nor on what it says by then.
 */
export async function prepareCall(services: RunServices, call: SkillCall): Promise<PreparedCall> {
  const { skill } = call;
  if (!isToolSkill(skill)) return { call, inputs: skill.inputs, tool: noTool, refused: null, down: null };
  const row = services.steps.rowOf(call.key);
  // A call that was only waited for is not known by its row.
  if (row !== undefined && !isNotDone(row))
    return toolCall(call, skill, {
      effects: row.effects,
      onInDoubt: row.onInDoubt,
      isIdempotent: row.effects === 'read' || row.effects === 'none',
    });
  await services.steps.admit();
  try {
    return toolCall(call, skill, await toolFacts(services, skill, call.key));
  } catch (error) {
    if (error instanceof Unfinished) throw error;
    if (services.signal.aborted) throw new Unfinished('abort');
    const { serverDown } = await import('./tool-outage.js');
    return {
      ...toolCall(call, skill, { ...skill, isIdempotent: false }),
      refused: thrownEnd(error),
      down: serverDown(error),
    };
  }
}

type Known = Pick<ToolSkill, 'effects' | 'onInDoubt'> & { readonly isIdempotent: boolean };

function toolCall(call: SkillCall, declared: ToolSkill, known: Known): PreparedCall {
  const { effects, onInDoubt, isIdempotent } = known;
  const skill: ToolSkill = { ...declared, effects, onInDoubt };
  return {
    call: { ...call, skill },
    inputs: declared.inputs === null ? null : withoutFixed(declared.inputs, declared.implementation.arguments),
    tool: () => ({
      skill,
      facts: { effects, isIdempotent },
      input: toolInput(skill, call.input),
      agentId: call.activation.node.id,
    }),
    refused: null,
    down: null,
  };
}
