import type { Json, JsonObject, JsonSchema } from '../../domain/json.js';
import type { AgentNode } from '../../domain/workspace.js';
import { PLAN_ACTIONS, PLAN_ACTIONS_BEFORE, PLAN_FIELDS, PLAN_TOOLS, PLAN_TOOLS_BEFORE } from '../../prompts/plan.js';
import { type Plan, runnableTasks } from './plan.js';

type Name = keyof typeof PLAN_TOOLS;

/** Where a plan stands (docs/design/execution.md#plans). */
export type Phase = keyof typeof PLAN_ACTIONS;

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
        actionIn: (phase) => PLAN_ACTIONS[phase](runnableTasks(plan).map(({ id }) => id)),
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

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
