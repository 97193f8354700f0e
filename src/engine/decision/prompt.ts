import type { DecisionTrigger } from '../../domain/decision-binding.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { ModelMessage } from '../../domain/ports/model.js';
import { type RunSnapshot, ruleSetOf } from '../../domain/snapshot.js';
import { isNoVerdict, readVerdict, statesConfidence } from '../../govern/checks/verdict.js';
import {
  type JudgeFacts,
  judgeQuestion,
  judgeSystem,
  judgeTextBefore,
  NO_CONFIDENCE,
  NO_VERDICT,
} from '../../prompts/judge.js';
import { textTask } from '../activation-call.js';

/** What a decision skill is asked about. */
export interface DecisionQuestion {
  readonly trigger: DecisionTrigger;
  /** The agent whose work is judged. */
  readonly agentId: string;
  /** What that agent was asked to do: frozen, so that a draft cannot move it. */
  readonly scope: string;
  readonly rubric: string | null;
  /** What is judged. */
  readonly content: string;
  /** Further facts: the diff, the configuration of a binding. */
  readonly context: JsonObject;
}

const VERDICT = {
  verdict: { enum: ['pass', 'fail', 'needs-revision'] },
  confidence: { type: 'number', minimum: 0, maximum: 1 },
  reasoning: { type: 'string' },
  flagged_items: { type: 'array', items: { type: 'string' } },
};

/**
 * Asked of a provider that can be held to a schema, where the skill declares no `verdict` itself.
 */
export const VERDICT_SCHEMA: JsonSchema = { type: 'object', required: Object.keys(VERDICT), properties: VERDICT };

/** The same before an agent's work: whoever refuses a task may say what to answer to it. */
export const ENTRY_SCHEMA: JsonSchema = {
  type: 'object',
  required: [...Object.keys(VERDICT), 'suggested_response'],
  properties: { ...VERDICT, suggested_response: { type: ['string', 'null'] } },
};

/** The question as the words of its prompt take it. */
const judgeFacts = ({ context, ...question }: DecisionQuestion): JudgeFacts => ({
  ...question,
  facts: Object.fromEntries(
    Object.entries(context).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ),
});

/** What is the same for each question stands first, in the system prompt: a cache may hold it. */
export function openingOf(snapshot: RunSnapshot, own: string, question: DecisionQuestion): readonly ModelMessage[] {
  const facts = judgeFacts(question);
  const [system, user] =
    ruleSetOf(snapshot) >= 5 ? [judgeSystem(own, facts), judgeQuestion(facts)] : [own, judgeTextBefore(facts)];
  return [
    { role: 'system', parts: textTask(system) },
    { role: 'user', parts: textTask(user) },
  ];
}

/** What a judge is asked for once more; null = its answer decides. */
export function lackOf(snapshot: RunSnapshot, output: string, threshold: number): string | null {
  const verdict = readVerdict(output);
  if (isNoVerdict(verdict)) return NO_VERDICT;
  const isUnsure = verdict.verdict === 'pass' && threshold > 0 && !statesConfidence(output);
  return isUnsure && ruleSetOf(snapshot) >= 5 ? NO_CONFIDENCE : null;
}

/** A question as the input of a skill that is not a prompt: the names that its `inputs` declare. */
export function decisionInput(question: DecisionQuestion, inputs: JsonSchema | null): JsonObject {
  const { trigger, agentId, scope, rubric, content, context } = question;
  const all: JsonObject = {
    trigger,
    agent: agentId,
    scope,
    rubric: rubric ?? '',
    content,
    context: JSON.stringify(context),
  };
  return namedBy(inputs, all);
}

/** Of these arguments those that a skill's `inputs` name; all of them where it names none. */
export function namedBy(inputs: JsonSchema | null, all: JsonObject): JsonObject {
  const properties = inputs?.properties;
  if (typeof properties !== 'object' || properties === null) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(properties, name)));
}
