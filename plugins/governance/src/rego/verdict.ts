import type { Decision } from '@kit-run/kit/plugin';
import { deny } from '../policy-set.js';

/**
 * What a Rego query gave, as a decision: `true`, or an object with `allow: true`, allows; `{ allow:
 * false, reason, needs }` denies with its reason, `{ ask: true, reason }` asks a person. Anything
 * else, undefined above all, is a denial.
 */
export function regoVerdict(result: unknown): Decision {
  if (result === true) return { verdict: 'allow' };
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    return deny(result === false ? 'the policy does not allow it' : 'the policy gave no decision');
  }
  const answer: {
    readonly allow?: unknown;
    readonly ask?: unknown;
    readonly reason?: unknown;
    readonly needs?: unknown;
  } = result;
  const reason = typeof answer.reason === 'string' && answer.reason !== '' ? answer.reason : null;
  // Who says both has not said clearly that it may be done at once.
  if (answer.ask === true) return { verdict: 'ask', reason: reason ?? 'the policy wants a person to decide' };
  if (answer.allow === true) return { verdict: 'allow' };
  const needs = Array.isArray(answer.needs)
    ? answer.needs.filter((need): need is string => typeof need === 'string')
    : [];
  return { verdict: 'deny', reason: reason ?? 'the policy does not allow it', needs };
}
