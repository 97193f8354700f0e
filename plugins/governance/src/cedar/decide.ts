import type { Decision } from '@kit-run/kit/plugin';
import type { Facts } from '../facts.js';
import { deny, type PolicySet, sentenceOf } from '../policy-set.js';
import { RESOURCE_TYPES } from './schema.js';
import type { Slices } from './slices.js';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');
type Call = Parameters<Cedar['statefulIsAuthorized']>[0];

/** Policies of a workspace, evaluated by Cedar itself. */
export const cedarSet = (cedar: Cedar, slices: Slices): PolicySet => ({
  decide: (facts) => {
    const { agent, action, kind, resource } = facts;
    const type = RESOURCE_TYPES[kind];
    if (type === undefined) return deny(`${action} is not an action that Cedar policies know`);
    try {
      const { setId, attributes } = slices.sliceFor(kind, agent);
      if (setId === null) return deny(`no policy permits ${action}`);
      const answer = cedar.statefulIsAuthorized({
        principal: { type: 'Agent', id: agent },
        action: { type: 'Action', id: kind },
        resource: { type, id: resource },
        context: contextOf(facts, attributes),
        preparsedPolicySetId: setId,
        entities: entitiesOf(type, resource),
      });
      return answer.type === 'failure'
        ? deny(`Cedar could not decide: ${answer.errors[0]?.message ?? 'no reason given'}`)
        : verdict(facts, answer.response);
    } catch (error) {
      return deny(`Cedar could not decide: ${sentenceOf(error)}`);
    }
  },
});

function contextOf(
  { role, skill, effects, permission, trust, base_scope, scopes_required }: Facts,
  attributes: ReadonlySet<string> | null,
): Call['context'] {
  const all: Call['context'] = {
    role,
    skill,
    effects,
    permission,
    trust,
    base_scope: [...base_scope],
    scopes_required: [...scopes_required],
  };
  return attributes === null ? all : Object.fromEntries(Object.entries(all).filter(([name]) => attributes.has(name)));
}

function entitiesOf(type: string, resource: string): Call['entities'] {
  if (type !== 'Tool') return [];
  const [server = ''] = resource.split(':', 1);
  return [{ uid: { type, id: resource }, attrs: {}, parents: [{ type: 'Server', id: server }] }];
}

interface Response {
  readonly decision: 'allow' | 'deny';
  readonly diagnostics: {
    readonly reason: readonly string[];
    readonly errors: readonly { readonly policyId: string }[];
  };
}

/**
 * Cedar leaves out a policy that fails while it is evaluated; a `forbid` that is left out would
 * allow, so any failure denies.
 */
function verdict({ action }: Facts, { decision, diagnostics }: Response): Decision {
  const failed = diagnostics.errors.map(({ policyId }) => policyId);
  if (failed.length > 0) return deny(`the policy ${failed.join(', ')} failed while it was evaluated`);
  if (decision === 'allow') return { verdict: 'allow' };
  return deny(
    diagnostics.reason.length === 0
      ? `no policy permits ${action}`
      : `the policy ${diagnostics.reason.join(', ')} forbids it`,
  );
}
