import type { Decision, PolicyProblem, PolicyWorkspace } from '@kit-run/kit/plugin';
import type { Facts } from '../facts.js';
import { deny, type ParsePolicies, type PolicySet, problem } from '../policy-set.js';
import { loadToolkit } from '../toolkit.js';
import { readYamlPolicy, type YamlPolicy } from './document.js';

/**
 * Policy documents of the toolkit, decided by its engine; a denial overrides whatever else matches.
 */
export const parseYaml: ParsePolicies = async (files, workspace) => {
  const read = files.map(readYamlPolicy);
  const policies = read.flatMap((one) => (one.ok ? [one.policy] : []));
  const problems = [
    ...read.flatMap((one) => (one.ok ? [] : one.problems)),
    ...sameNames(policies),
    ...unknownAgents(policies, workspace),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, set: await yamlSet(policies) };
};

/** The engine would keep the last of two and forget the other. */
function sameNames(policies: readonly YamlPolicy[]): readonly PolicyProblem[] {
  return policies.flatMap((policy, index) => {
    const other = policies.slice(0, index).find(({ name }) => name === policy.name);
    return other === undefined
      ? []
      : [problem('policy.unparsable', policy.path, `the policy \`${policy.name}\` stands in ${other.path} already`)];
  });
}

function unknownAgents(policies: readonly YamlPolicy[], workspace: PolicyWorkspace | null): readonly PolicyProblem[] {
  if (workspace === null) return [];
  return policies.flatMap(({ path, agents }) =>
    agents
      .filter((agent) => !workspace.agents.includes(agent))
      .map((agent) => problem('policy.unknown-entity', path, `no agent of the workspace is called \`${agent}\``)),
  );
}

async function yamlSet(policies: readonly YamlPolicy[]): Promise<PolicySet> {
  const { PolicyEngine, ConflictResolutionStrategy } = await loadToolkit();
  const engine = new PolicyEngine([], ConflictResolutionStrategy.DenyOverrides);
  for (const { name, agents, defaultAction, rules } of policies) {
    engine.loadPolicy({
      name,
      scope: 'global',
      agents: [...agents],
      default_action: defaultAction,
      rules: rules.map((rule) => ({
        name: rule.name,
        ...(rule.description === null ? {} : { description: rule.description }),
        ...(rule.condition === null ? {} : { condition: rule.condition }),
        ruleAction: rule.action,
        approvers: [...rule.approvers],
        priority: rule.priority,
        enabled: rule.enabled,
      })),
    });
  }
  return {
    decide: (facts) => {
      const result = engine.evaluatePolicy(facts.agent, { ...facts });
      return result.matchedRule === undefined ? byDefault(policies, facts) : matched(result);
    },
  };
}

/**
 * The engine asks the first policy alone; here every policy that is for the agent has to let it.
 */
function byDefault(policies: readonly YamlPolicy[], { agent, action }: Facts): Decision {
  const applicable = policies.filter(({ agents }) => agents.length === 0 || agents.includes(agent));
  const closed = applicable.find(({ defaultAction }) => defaultAction === 'deny');
  if (applicable.length > 0 && closed === undefined) return { verdict: 'allow' };
  const why =
    closed === undefined
      ? 'no policy is for this agent'
      : `no rule of ${closed.name} allows it, and its default is deny`;
  return deny(`${action}: ${why}`);
}

interface Matched {
  readonly action: string;
  readonly matchedRule?: string;
  readonly policyName?: string;
  readonly approvers: readonly string[];
}

/** `warn` and `log` let an action pass: the log of kit tells of every call anyway. */
function matched({ action, matchedRule = '', policyName = '', approvers }: Matched): Decision {
  const rule = `the rule ${matchedRule} of the policy ${policyName}`;
  switch (action) {
    case 'allow':
    case 'warn':
    case 'log':
      return { verdict: 'allow' };
    case 'require_approval':
      return {
        verdict: 'ask',
        reason: `${rule} wants ${approvers.length === 0 ? 'a person' : approvers.join(' or ')} to approve it`,
        approvers,
      };
    default:
      return { verdict: 'deny', reason: `${rule} refuses it`, needs: [] };
  }
}
