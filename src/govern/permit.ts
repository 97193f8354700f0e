import type { Decision, PolicyRequest } from '../domain/ports/governance.js';
import { assertNever } from '../lib/assert-never.js';
import { onceKnown, type Soon } from '../lib/soon.js';
import { checkScopes } from './scopes.js';
import { decideTier } from './tiers.js';

/** Everything that is known of an action before it runs. */
export interface PermitQuestion {
  readonly request: PolicyRequest;
  readonly heldScopes: readonly string[];
  readonly humanScopes: Iterable<string>;
  /** Tier and effects where the action is a tool call; null where it is not (`agent:execute`). */
  readonly tier: { readonly permission: string; readonly effects: string } | null;
}

/** Who settled the question: the order is scopes, tier, provider, and the first denial is final. */
export type PermitBy = 'scopes' | 'tier' | 'provider';
export type Permitted = Decision & { readonly by: PermitBy };

/**
 * May this action run? Scopes first, then the permission tier, then, where the tier leaves it open,
 * the provider (`evaluate` is `decide` with its provider and bounds). `ask` means: a person, before
 * anything happens.
 */
export function permit(
  question: PermitQuestion,
  evaluate: (request: PolicyRequest) => Soon<Decision>,
): Soon<Permitted> {
  const scopes = checkScopes({
    required: question.request.scopesRequired,
    held: question.heldScopes,
    humanScopes: question.humanScopes,
  });
  if (!scopes.allowed) return { verdict: 'deny', reason: scopes.reason, needs: scopes.needs, by: 'scopes' };
  const tier =
    question.tier === null
      ? ({ kind: 'evaluate' } as const)
      : decideTier(question.tier.permission, question.tier.effects);
  switch (tier.kind) {
    case 'allow':
      return { verdict: 'allow', by: 'tier' };
    case 'deny':
      return { verdict: 'deny', reason: tier.reason, needs: [], by: 'tier' };
    case 'approve':
      return { verdict: 'ask', reason: tier.reason, by: 'tier' };
    case 'evaluate':
      return onceKnown(evaluate(question.request), (decision): Permitted => ({ ...decision, by: 'provider' }));
    default:
      return assertNever(tier);
  }
}
