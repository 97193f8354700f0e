import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject, JsonSchema } from '../../domain/json.js';
import type { ToolSpec } from '../../domain/ports/model.js';
import { isObject } from '../../lib/json.js';
import { PLAN_ACTIONS, PLAN_ACTIONS_BEFORE, PLAN_FIELDS, PLAN_TOOLS, PLAN_TOOLS_BEFORE } from '../../prompts/plan.js';
import {
  createPlan,
  createScope,
  type PlanAnswer,
  readResult,
  readScope,
  updatePlan,
  updateScope,
} from './edit-plan.js';
import { isResearchOnly, type Plan, runnableTasks } from './plan.js';
import { CREATE_SCOPE_SCHEMA, UPDATE_SCOPE_SCHEMA } from './scope.js';

const TEXT: JsonSchema = { type: 'string', minLength: 1 };
const TEXTS: JsonSchema = { type: 'array', items: TEXT };
const TASK: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'agent', 'instruction'],
  properties: { id: TEXT, agent: TEXT, instruction: TEXT, depends_on: TEXTS },
};
const CHANGE: JsonSchema = { ...TASK, required: ['id'] };
const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: [...required],
  properties,
});

interface PlanTool {
  readonly schema: JsonSchema;
  readonly apply: (plan: Plan, node: AgentNode, input: JsonObject) => PlanAnswer;
}

/**
 * The tools of a coordinator that plans (docs/design/execution.md#delegation,
 * docs/design/execution.md#plans).
 */
const TOOLS = {
  'create-task-plan': {
    schema: object({ tasks: { type: 'array', minItems: 1, items: TASK } }, ['tasks']),
    apply: createPlan,
  },
  'update-task-plan': {
    schema: object({
      add: { type: 'array', items: TASK },
      remove: TEXTS,
      update: { type: 'array', items: CHANGE },
      complete: { type: 'boolean' },
    }),
    apply: updatePlan,
  },
  'read-task-result': {
    schema: object({ task: TEXT }, ['task']),
    apply: (plan, _node, input) => readResult(plan, input),
  },
  'create-scope': {
    schema: CREATE_SCOPE_SCHEMA,
    apply: (plan, _node, input) => createScope(plan, input),
  },
  'update-scope': {
    schema: UPDATE_SCOPE_SCHEMA,
    apply: (plan, _node, input) => updateScope(plan, input),
  },
  'read-scope': { schema: object({}), apply: (plan) => readScope(plan) },
} satisfies Readonly<Record<string, PlanTool>>;

export type PlanToolName = keyof typeof TOOLS;

export const isPlanTool = (name: string): name is PlanToolName => Object.hasOwn(TOOLS, name);

export const changesPlan = (name: PlanToolName): boolean => name !== 'read-task-result' && name !== 'read-scope';

/** Whether the tool belongs to this plan: a scope is written where one is asked for. */
const hasPlanTool = ({ planning, isOfBefore }: Plan, name: PlanToolName): boolean =>
  isOfBefore || planning.scopeRequired || planning.twoPhase || !name.endsWith('-scope');

/** Until there is a scope, two phases leave the plan as it is. */
export const offersPlanTool = (plan: Plan, name: PlanToolName): boolean =>
  hasPlanTool(plan, name) && !(isResearchOnly(plan) && name === 'update-task-plan');

export const planToolSpecs = (plan: Plan, node: AgentNode): readonly ToolSpec[] =>
  allPlanTools(plan, node).filter(({ name }) => isPlanTool(name) && offersPlanTool(plan, name));

/** Those that the plan does not take yet among them. */
export const allPlanTools = (plan: Plan, node: AgentNode): readonly ToolSpec[] => {
  const { toolOf, described } = planWords(plan);
  return Object.keys(TOOLS).flatMap((name) =>
    isPlanTool(name) && hasPlanTool(plan, name)
      ? [{ name, description: toolOf(name, node.children), inputSchema: described(name, TOOLS[name].schema) }]
      : [],
  );
};

export const planToolSchema = (name: PlanToolName): JsonSchema => TOOLS[name].schema;

export function applyPlanTool(
  plan: Plan,
  call: { readonly node: AgentNode; readonly name: PlanToolName; readonly input: JsonObject },
): PlanAnswer {
  const tool: PlanTool = TOOLS[call.name];
  return tool.apply(plan, call.node, call.input);
}

type Name = keyof typeof PLAN_TOOLS;

/** Where a plan stands (docs/design/execution.md#plans). */
export type Phase = Exclude<keyof typeof PLAN_ACTIONS, 'held'>;

interface PlanWords {
  readonly toolOf: (name: Name, agents: readonly AgentNode[]) => string;
  /** The arguments of a tool, with what each of them is for. */
  readonly described: (name: Name, schema: JsonSchema) => JsonSchema;
  readonly actionIn: (phase: Phase) => string;
}

/** What a coordinator is told of its plan; one of a run of before rule set 5 what it always was. */
export const planWords = (plan: Plan): PlanWords =>
  plan.isOfBefore
    ? {
        toolOf: (name, agents) => PLAN_TOOLS_BEFORE[name](agents),
        described: (_name, schema) => schema,
        actionIn: (phase) => PLAN_ACTIONS_BEFORE[phase](),
      }
    : {
        toolOf: (name, agents) => PLAN_TOOLS[name](agents),
        described: (name, schema) => withWords(schema, PLAN_FIELDS[name]),
        actionIn: (phase) => PLAN_ACTIONS[plan.isHeld ? 'held' : phase](runnableTasks(plan).map(({ id }) => id)),
      };

/** A schema whose properties, also those of items, say what they are for. */
function withWords(schema: JsonSchema, words: Readonly<Record<string, string>>): JsonSchema {
  const { items, properties } = schema;
  return {
    ...schema,
    ...(isObject(items) ? { items: withWords(items, words) } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, property(value, words[name], words)]),
          ),
        }
      : {}),
  };
}

function property(value: Json, said: string | undefined, words: Readonly<Record<string, string>>): Json {
  if (!isObject(value)) return value;
  return { ...withWords(value, words), ...(said === undefined ? {} : { description: said }) };
}
