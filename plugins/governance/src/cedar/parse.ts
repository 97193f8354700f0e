import { hash } from 'node:crypto';
import type { Decision, PolicyProblem, PolicyWorkspace } from '@kit-run/kit/plugin';
import type { Facts } from '../facts.js';
import { type ParsePolicies, type PolicyFile, type PolicySet, problem, sentenceOf, textOf } from '../policy-set.js';
import { RESOURCE_TYPES, schemaOf } from './schema.js';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');
type DetailedError = import('@cedar-policy/cedar-wasm/nodejs').DetailedError;

/** Policies of one file by id: `<path>#<n>`, which is what a decision names. */
interface CedarFile {
  readonly path: string;
  readonly text: string;
  readonly policies: Readonly<Record<string, string>>;
}

/** Cedar policies, parsed once under the digest of their text and evaluated by Cedar itself. */
export const parseCedar: ParsePolicies = async (files, workspace) => {
  const cedar: Cedar = await import('@cedar-policy/cedar-wasm/nodejs');
  const read = files.map((file) => readFile(cedar, file));
  const parsed = read.flatMap((one) => ('policies' in one ? [one] : []));
  const problems = [...read.flatMap((one) => ('policies' in one ? [] : [one])), ...(workspace === null ? [] : invalid(cedar, parsed, workspace))];
  if (problems.length > 0) return { ok: false, problems };
  const policies = Object.assign({}, ...parsed.map((file) => file.policies)) as Record<string, string>; // Object.assign of a spread is any
  // The cache of the module lives as long as the process; a set with the same text is the same set.
  const name = hash('sha256', JSON.stringify(policies), 'hex');
  const answer = cedar.preparsePolicySet(name, { staticPolicies: policies });
  if (answer.type === 'failure') return { ok: false, problems: answer.errors.map((error) => problem('policy.unparsable', '', error.message)) };
  return { ok: true, set: cedarSet(cedar, name) };
};

function readFile(cedar: Cedar, file: PolicyFile): CedarFile | PolicyProblem {
  const text = textOf(file);
  if (text === null) return problem('policy.unparsable', file.path, 'the policy is no UTF-8 text');
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') {
    const [error] = parts.errors;
    const help = error?.sourceLocations?.[0]?.label ?? error?.help ?? null;
    return problem('policy.unparsable', file.path, error?.message ?? 'the policy does not parse', {
      line: error === undefined ? null : lineOf(text, error),
      help,
    });
  }
  if (parts.policy_templates.length > 0)
    return problem('policy.unparsable', file.path, 'a policy template has slots that nothing fills', {
      help: 'write the principal and the resource out',
    });
  return { path: file.path, text, policies: Object.fromEntries(parts.policies.map((policy, index) => [`${file.path}#${index + 1}`, policy])) };
}

/** Cedar counts UTF-8 bytes. */
function lineOf(text: string, error: DetailedError): number | null {
  const start = error.sourceLocations?.[0]?.start;
  if (start === undefined) return null;
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, start)).split('\n').length;
}

/** What the validator says of entities, actions and attributes that the workspace does not have. */
function invalid(cedar: Cedar, files: readonly CedarFile[], workspace: PolicyWorkspace): readonly PolicyProblem[] {
  return files.flatMap(({ path, text, policies }) => {
    // The schema is built here and read by Cedar, whose type of it has more forms than are needed.
    const answer = cedar.validate({ schema: schemaOf(workspace) as never, policies: { staticPolicies: policies } });
    if (answer.type === 'failure') return answer.errors.map((error) => problem('policy.unparsable', path, error.message));
    return answer.validationErrors.filter(isFirstOfPolicy).map(({ policyId, error }) =>
      problem('policy.unknown-entity', path, error.message.replace(/^for policy `[^`]*`, /, ''), {
        line: lineOfPolicy(text, policies[policyId] ?? ''),
        help: error.help,
      }),
    );
  });
}

/** The validator says a misspelt attribute once for every kind of action. */
const isFirstOfPolicy = ({ policyId }: { policyId: string }, index: number, all: readonly { readonly policyId: string }[]): boolean =>
  all.findIndex((other) => other.policyId === policyId) === index;

function lineOfPolicy(text: string, policy: string): number | null {
  const at = text.indexOf(policy);
  return at < 0 || policy === '' ? null : text.slice(0, at).split('\n').length;
}

const cedarSet = (cedar: Cedar, name: string): PolicySet => ({
  decide: (facts) => {
    const { agent, action, kind, resource, ...rest } = facts;
    const type = RESOURCE_TYPES[kind];
    if (type === undefined) return deny(`${action} is no action that Cedar policies know`);
    const { role, skill, effects, permission, trust, base_scope, scopes_required } = rest;
    try {
      const answer = cedar.statefulIsAuthorized({
        principal: { type: 'Agent', id: agent },
        action: { type: 'Action', id: kind },
        resource: { type, id: resource },
        context: { role, skill, effects, permission, trust, base_scope: [...base_scope], scopes_required: [...scopes_required] },
        preparsedPolicySetId: name,
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

function entitiesOf(
  type: string,
  resource: string,
): { uid: { type: string; id: string }; attrs: Record<string, never>; parents: { type: string; id: string }[] }[] {
  if (type !== 'Tool') return [];
  const [server = ''] = resource.split(':', 1);
  return [{ uid: { type, id: resource }, attrs: {}, parents: [{ type: 'Server', id: server }] }];
}

interface Response {
  readonly decision: 'allow' | 'deny';
  readonly diagnostics: { readonly reason: readonly string[]; readonly errors: readonly { readonly policyId: string }[] };
}

/** Cedar leaves out a policy that fails while it is evaluated; a `forbid` that is left out would allow, so any failure denies. */
function verdict({ action }: Facts, { decision, diagnostics }: Response): Decision {
  const failed = diagnostics.errors.map(({ policyId }) => policyId);
  if (failed.length > 0) return deny(`the policy ${failed.join(', ')} failed while it was evaluated`);
  if (decision === 'allow') return { verdict: 'allow' };
  return deny(diagnostics.reason.length === 0 ? `no policy permits ${action}` : `the policy ${diagnostics.reason.join(', ')} forbids it`);
}

const deny = (reason: string): Decision => ({ verdict: 'deny', reason, needs: [] });
