import type { JsonSchema } from '../domain/json.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { timedPatterns } from '../lib/patterns/linear-pattern.js';
import { sha256Hex } from '../lib/sha256.js';
import type { AnswerCheck } from './model-ask.js';
import type { RunServices } from './services.js';

const known = new WeakMap<object, boolean>();

/** Classes of characters by name: the linear engine does not know all of them. */
const NAMED_CLASS = /\\[pP]\{/;

/**
 * Whether a verdict by this schema may depend on how busy the machine is: one of its patterns is
 * looked for within a limit of time.
 */
export function isTimed(schema: JsonSchema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const text = JSON.stringify(schema);
  const isOne = text.includes('"pattern') && (NAMED_CLASS.test(text) || timedPatterns(schema).length > 0);
  known.set(schema, isOne);
  return isOne;
}

/** Whose verdict it is. */
export interface VerdictOf {
  /** Of the step that holds it, where it is one. */
  readonly key: string;
  readonly agentId: string;
  readonly schema: JsonSchema;
}

/**
 * A verdict that a replay finds again: where it may depend on time it is a step of its own. Any
 * other is a pure function of schema and value, and costs no row.
 */
export async function verdictOf(
  services: Pick<RunServices, 'steps'>,
  { key, agentId, schema }: VerdictOf,
  check: () => Promise<AnswerCheck>,
): Promise<AnswerCheck> {
  if (!isTimed(schema)) return check();
  const outcome = await services.steps.run<AnswerCheck>(
    {
      key,
      kind: 'decision',
      identity: { schema: sha256Hex(canonicalJson(schema)) },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId,
      units: 0,
    },
    async () => ({ outcome: { status: 'ok', value: await check() } }),
  );
  if (outcome.status === 'ok') return outcome.value;
  return { valid: false, errors: [{ pointer: '', message: outcome.message }] };
}
