import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { ToolSpec } from '../../domain/ports/model.js';
import type { AgentNode } from '../../domain/workspace.js';
import {
  createPlan,
  createScope,
  type PlanAnswer,
  readResult,
  readScope,
  updatePlan,
  updateScope,
} from './edit-plan.js';
import { isResearchOnly, type Plan, SELF } from './plan.js';
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
  readonly description: (node: AgentNode) => string;
  readonly apply: (plan: Plan, node: AgentNode, input: JsonObject) => PlanAnswer;
}

/** A description is for a person too, and may be a page. */
const MAX_CHARS = 500;

/** `alpha (worker: knows the markets of Europe)`: what whoever gives it tasks can choose by. */
export function whoIs({ id, role, description }: AgentNode): string {
  if (description === undefined) return `${id} (${role})`;
  const words = description.replace(/\s+/g, ' ');
  const shown = words.length <= MAX_CHARS ? words : `${words.slice(0, MAX_CHARS).toWellFormed()}...`;
  return `${id} (${role}: ${shown})`;
}

const agentsOf = (node: AgentNode): string => node.children.map(whoIs).join(', ');

/**
 * The tools of a coordinator that plans (docs/design/execution.md#delegation,
 * docs/design/execution.md#plans).
 */
const TOOLS = {
  'create-task-plan': {
    schema: object({ tasks: { type: 'array', minItems: 1, items: TASK } }, ['tasks']),
    description: (node) =>
      `Makes a plan of tasks for the agents ${agentsOf(node)}, or for \`${SELF}\`, which is you. Tasks without open dependencies run side by side, at once; you are told their results in short. An instruction holds everything its agent needs to know.`,
    apply: createPlan,
  },
  'update-task-plan': {
    schema: object({
      add: { type: 'array', items: TASK },
      remove: TEXTS,
      update: { type: 'array', items: CHANGE },
      complete: { type: 'boolean' },
    }),
    description: () =>
      'Adds tasks to the plan, removes or changes pending ones. `complete: true` ends the plan: what is pending is skipped.',
    apply: updatePlan,
  },
  'read-task-result': {
    schema: object({ task: TEXT }, ['task']),
    description: () => 'Gives the whole result of one task.',
    apply: (plan, _node, input) => readResult(plan, input),
  },
  'create-scope': {
    schema: CREATE_SCOPE_SCHEMA,
    description: () => 'Writes down what the answer has to cover: its scope. What is in it stays in it.',
    apply: (plan, _node, input) => createScope(plan, input),
  },
  'update-scope': {
    schema: UPDATE_SCOPE_SCHEMA,
    description: () => 'Adds to the scope.',
    apply: (plan, _node, input) => updateScope(plan, input),
  },
  'read-scope': { schema: object({}), description: () => 'Gives the scope.', apply: (plan) => readScope(plan) },
} satisfies Readonly<Record<string, PlanTool>>;

export type PlanToolName = keyof typeof TOOLS;

export const isPlanTool = (name: string): name is PlanToolName => Object.hasOwn(TOOLS, name);

export const changesPlan = (name: PlanToolName): boolean => name !== 'read-task-result' && name !== 'read-scope';

/** Until there is a scope, two phases leave the plan as it is. */
export const offersPlanTool = (plan: Plan, name: PlanToolName): boolean =>
  !(isResearchOnly(plan) && name === 'update-task-plan');

export const planToolSpecs = (plan: Plan, node: AgentNode): readonly ToolSpec[] =>
  allPlanTools(node).filter(({ name }) => isPlanTool(name) && offersPlanTool(plan, name));

/** Those that the plan does not take yet among them. */
export const allPlanTools = (node: AgentNode): readonly ToolSpec[] =>
  Object.entries<PlanTool>(TOOLS).map(([name, tool]) => ({
    name,
    description: tool.description(node),
    inputSchema: tool.schema,
  }));

export const planToolSchema = (name: PlanToolName): JsonSchema => TOOLS[name].schema;

export function applyPlanTool(
  plan: Plan,
  call: { readonly node: AgentNode; readonly name: PlanToolName; readonly input: JsonObject },
): PlanAnswer {
  const tool: PlanTool = TOOLS[call.name];
  return tool.apply(plan, call.node, call.input);
}
