import type { Decision, PolicyRequest } from '../../domain/ports/governance.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { answering, type ContractFixtures, type Network, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite asks of a governance provider. */
export interface GovernanceFixtures extends ContractFixtures {
  /** Further requests to decide on, for example those that its configuration names. */
  readonly requests?: readonly PolicyRequest[];
}

type Sub = Subject<'governanceProviders', GovernanceFixtures>;

/** One of each family of actions (docs/design/execution.md#actions), and one that nobody knows. */
const REQUESTS: readonly PolicyRequest[] = [
  { agentId: 'contract', action: 'agent:execute', scopesRequired: [], context: { role: 'worker', base_scope: [] } },
  {
    agentId: 'contract',
    action: 'command:call:git:status',
    scopesRequired: ['repo:read'],
    context: { base_scope: ['repo:read'] },
  },
  {
    agentId: 'contract',
    action: 'mcp:call:server:tool',
    scopesRequired: [],
    context: { effects: ['network'], base_scope: [] },
  },
  { agentId: 'contract', action: 'skill:call:contract', scopesRequired: ['repo:write'], context: { base_scope: [] } },
  {
    agentId: 'contract',
    action: 'context:retrieve:contract-0123456789ab',
    scopesRequired: [],
    context: { base_scope: [] },
  },
  { agentId: 'contract', action: 'contract:unknown', scopesRequired: [], context: {} },
];

function decisionProblem(decision: Decision): string | null {
  const value: unknown = decision; // what was promised is not what was given
  if (typeof value !== 'object' || value === null || !('verdict' in value)) return 'no verdict';
  if (value.verdict === 'allow') return null;
  if (value.verdict !== 'deny' && value.verdict !== 'ask')
    return `the unknown verdict ${JSON.stringify(value.verdict)}`;
  if (!('reason' in value) || typeof value.reason !== 'string' || value.reason === '')
    return `${value.verdict} without a reason`;
  if (value.verdict === 'ask') return null;
  const needs = 'needs' in value ? value.needs : undefined;
  return Array.isArray(needs) && needs.every((need) => typeof need === 'string')
    ? null
    : 'deny without the list `needs` ([] = nothing would help)';
}

interface Probe {
  readonly world: World;
  readonly outcomes: readonly { readonly action: string; readonly outcome: Settled<Decision> }[];
}

async function askAll(subject: Sub, network: Network, stop: 'before' | 'during' | null = null): Promise<Probe> {
  const { requests = [] } = subject.fixtures;
  const { world, instance: provider } = await openIn(subject, network);
  const outcomes: { readonly action: string; readonly outcome: Settled<Decision> }[] = [];
  for (const request of [...REQUESTS, ...requests]) {
    const controller = new AbortController();
    if (stop === 'before') controller.abort();
    const timer = stop === 'during' ? setTimeout(() => controller.abort(), 20) : undefined;
    const outcome = await settled(
      () => provider.evaluate(frozen(request), controller.signal),
      world.deadlineMs,
      `evaluate of ${request.action}`,
    );
    clearTimeout(timer);
    outcomes.push({ action: request.action, outcome });
  }
  return { world, outcomes };
}

async function decides(subject: Sub): Promise<string | null> {
  const { world, outcomes } = await askAll(subject, UNREACHABLE);
  for (const { action, outcome } of outcomes) {
    if (outcome.how === 'error') {
      must(
        world.requests.length > 0,
        `evaluate of ${action} threw ${textOf(outcome.error)}; kit would deny and call it a fault of the provider`,
      );
      continue;
    }
    const problem = decisionProblem(outcome.value);
    must(problem === null, `evaluate of ${action} answered with ${problem}`);
  }
  return null;
}

async function neverAllows(subject: Sub, network: Network, stop: 'during' | null = null): Promise<string | null> {
  const { world, outcomes } = await askAll(subject, network, stop);
  if (world.requests.length === 0) return 'it asked no server';
  const allowed = outcomes.find(({ outcome }) => outcome.how === 'value' && outcome.value.verdict === 'allow');
  must(allowed === undefined, `it allowed ${allowed?.action}`);
  return null;
}

/**
 * The contract of `governanceProviders`: what lets kit fail closed. Cases run one after the other.
 */
export const governanceConformance = conformanceOf<'governanceProviders', GovernanceFixtures>('governanceProviders', {
  'decides on every action with a verdict that kit knows, and a reason': decides,
  'allows nothing while its server cannot be reached': (subject) => neverAllows(subject, UNREACHABLE),
  'allows nothing while its server fails': (subject) =>
    neverAllows(subject, answering(500, '{"verdict":"allow","allow":true,"result":true}')),
  'allows nothing on an answer that it cannot read': (subject) =>
    neverAllows(subject, answering(200, '<html>ok</html>')),
  'allows nothing when it is stopped while its server is silent': (subject) => neverAllows(subject, SILENT, 'during'),
  'ends soon when it was stopped before': async (subject) => {
    await askAll(subject, SILENT, 'before');
    return null;
  },
  'shows no secret in a reason, an error or its log': async (subject) => {
    for (const network of [UNREACHABLE, answering(403, 'no ', { echo: true })]) {
      const { world, outcomes } = await askAll(subject, network);
      for (const { action, outcome } of outcomes)
        world.mustHideSecrets({
          [`what it says of ${action}`]: outcome.how === 'value' ? outcome.value : outcome.error,
        });
    }
    return null;
  },
});
