import type { Decision, JsonObject, PluginContext, PolicyRequest } from '@kit-run/kit/plugin';
import { defineGovernanceProvider } from '@kit-run/kit/plugin';

/** @param reason shown to people; never with a secret in it */
const deny = (reason: string): Decision => ({ verdict: 'deny', reason, needs: [] });

/**
 * Allows on `{"allow": true}` and on nothing else: a server that is away, fails or answers
 * something else has not allowed it.
 */
function create(config: JsonObject, plugin: PluginContext) {
  const { url, token_env: variable } = config;

  async function evaluate(request: PolicyRequest, signal: AbortSignal): Promise<Decision> {
    const token = typeof variable === 'string' ? plugin.secrets.env(variable) : null;
    try {
      const response = await plugin.fetch(String(url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(request),
        signal: AbortSignal.any([signal, plugin.signal]),
      });
      if (!response.ok) return deny(`the policy server answered with status ${response.status}`);
      const answer = (await response.json()) as { allow?: unknown } | null;
      return answer?.allow === true ? { verdict: 'allow' } : deny(`the policy server does not allow ${request.action}`);
    } catch {
      return deny('the policy server gave no answer that could be read');
    }
  }

  return { evaluate };
}

/** Governance provider `sample-name`. */
export const contribution = defineGovernanceProvider({ create });
