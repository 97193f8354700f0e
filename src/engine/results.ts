import type { StepOutcome } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Wait } from '../domain/wait.js';
import { isParked, type Parked } from './park.js';

/**
 * What an activation hands to its caller. Failure is data, never text that the next agent reads
 * (docs/design/decisions.md#data).
 */
export type AgentResult =
  | { readonly status: 'ok'; readonly output: Json }
  | { readonly status: 'failed'; readonly reason: string; readonly message: string; readonly data: Json }
  | { readonly status: 'denied'; readonly reason: string; readonly needs: readonly string[] }
  /** It has no result yet: people decide first. */
  | { readonly status: 'parked'; readonly waits: readonly Wait[] };

/** The stored form of an agent's result: the value of its activation row. */
export type ActivationValue = { readonly output: Json };

export function toAgentResult(outcome: StepOutcome<ActivationValue> | Parked): AgentResult {
  if (isParked(outcome)) return { status: 'parked', waits: outcome.parked };
  if (outcome.status === 'ok') return { status: 'ok', output: outcome.value.output };
  const data = outcome.data ?? null;
  if (outcome.reason === 'denied') return { status: 'denied', reason: outcome.message, needs: needsOf(data) };
  return { status: 'failed', reason: outcome.reason, message: outcome.message, data };
}

/** Scopes that a denial names. */
export function needsOf(data: Json): string[] {
  if (data === null || typeof data !== 'object' || !('needs' in data) || !Array.isArray(data.needs)) return [];
  return data.needs.filter((need) => typeof need === 'string');
}

/**
 * Text of an output for a conversation or a job row: strings as they are, anything else as JSON.
 */
export function outputText(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Characters of a token, about, of the letters of ASCII; any other character counts as a token. */
const CHARS_A_TOKEN = 4;

/** Tokens of a text, about: nobody but its provider knows how a model counts. */
export function tokensOf(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / CHARS_A_TOKEN) + others;
}
