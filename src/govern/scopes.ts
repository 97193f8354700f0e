import { isReservedScope } from '../domain/scopes.js';

/**
 * True for a scope that no agent, token or transport may hold: reserved by name, or conferred on
 * people by a role. `humanScopes` is the union of what the snapshot froze and what the registry
 * says now (the stricter holds).
 */
export function isHumanScope(scope: string, humanScopes: Iterable<string>): boolean {
  if (isReservedScope(scope)) return true;
  const name = scope.trim().toLowerCase();
  for (const human of humanScopes) if (human.trim().toLowerCase() === name) return true;
  return false;
}

export type ScopeVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly needs: readonly string[] };

export interface ScopeQuestion {
  readonly required: readonly string[];
  /** What the agent's `iam.base_scope` lists; a human scope in it counts as not held. */
  readonly held: readonly string[];
  readonly humanScopes: Iterable<string>;
}

/**
 * Required scopes are a subset of the held ones, name by name: no wildcard confers anything, a
 * scope that is for people is never satisfied, whatever the lists say. Elevated scopes do not count
 * here: they need a person's answer.
 */
export function checkScopes(question: ScopeQuestion): ScopeVerdict {
  if (question.required.length === 0) return { allowed: true };
  const human = [...question.humanScopes];
  const forbidden = question.required.filter((scope) => isHumanScope(scope, human));
  if (forbidden.length > 0)
    return { allowed: false, reason: `only a person can hold ${forbidden.join(', ')}`, needs: forbidden };
  const held = new Set(question.held.filter((scope) => !isHumanScope(scope, human)));
  const missing = [...new Set(question.required.filter((scope) => !held.has(scope)))];
  return missing.length === 0
    ? { allowed: true }
    : { allowed: false, reason: `the agent does not hold ${missing.join(', ')}`, needs: missing };
}
