import type { Decision, GovernanceProvider, PolicyRequest } from '@kit-run/kit/plugin';
import type { MockConfig } from './mock-config.js';

/**
 * Allows an action unless a pattern names it or a required scope is not held. kit has checked
 * scopes before it asks; where the request says what the agent holds (`context.base_scope`) the
 * check is made here as well.
 */
export function createMock(config: MockConfig): GovernanceProvider {
  const denied = config.deny.map(matcher);
  const asked = config.ask.map(matcher);
  return {
    evaluate(request) {
      const missing = missingScopes(request);
      if (missing.length > 0)
        return { verdict: 'deny', reason: `the agent does not hold ${missing.join(', ')}`, needs: missing };
      return decide(request.action, { denied, asked });
    },
  };
}

interface Matchers {
  readonly denied: readonly Matcher[];
  readonly asked: readonly Matcher[];
}

function decide(action: string, rules: Matchers): Decision {
  const deny = rules.denied.find((rule) => rule.matches(action));
  if (deny !== undefined)
    return {
      verdict: 'deny',
      reason: `the pattern ${deny.pattern} under governance.config.deny refuses it`,
      needs: [],
    };
  const ask = rules.asked.find((rule) => rule.matches(action));
  if (ask !== undefined)
    return {
      verdict: 'ask',
      reason: `the pattern ${ask.pattern} under governance.config.ask wants a person to decide`,
    };
  return { verdict: 'allow' };
}

function missingScopes(request: PolicyRequest): readonly string[] {
  const { base_scope: held, granted_scopes: granted } = request.context;
  if (!Array.isArray(held)) return [];
  const all = Array.isArray(granted) ? [...held, ...granted] : held;
  return request.scopesRequired.filter((scope) => !all.includes(scope));
}

interface Matcher {
  readonly pattern: string;
  matches(action: string): boolean;
}

/** Literal pieces in order, the first and the last at the ends: linear, whatever the pattern. */
function matcher(pattern: string): Matcher {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  return {
    pattern,
    matches: (action) => {
      if (last === undefined) return action === pattern;
      if (!action.startsWith(first)) return false;
      let at = first.length;
      for (const piece of rest) {
        const found = action.indexOf(piece, at);
        if (found < 0) return false;
        at = found + piece.length;
      }
      return action.length - last.length >= at && action.endsWith(last);
    },
  };
}
