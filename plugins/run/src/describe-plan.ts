import { type AgentNode, describeNotYet, type PreparedRun, visible } from '@kit-run/kit/command';
import { gateLines, gatesToWire } from './describe-gates.js';

/**
 * What `--dry-run` shows, nothing of a line hidden: who would run, on what, under which limits, and
 * what is not there yet.
 */
export function describePlan(plan: PreparedRun): readonly string[] {
  const { snapshot, topology, job } = plan;
  const { limits } = snapshot;
  return [
    `${topology.name}@${topology.version}  (class ${job.jobClass}, priority ${job.priority})`,
    ...agentLines(plan, snapshot.topology.root, 1),
    `limits: ${limits.maxStepsPerRun} steps a run, ${limits.maxStepsPerAgent ?? 'no limit'} steps an agent, ${limits.maxCostPerRunUsd === null ? 'no cost limit' : `$${limits.maxCostPerRunUsd} a run`}${limits.maxTokensPerRun == null ? '' : `, ${limits.maxTokensPerRun} tokens a run`}`,
    `governance: ${snapshot.governance.provider}`,
    ...gateLines(plan),
    ...(plan.author === null ? [] : [`${plan.author.message}. ${plan.author.hint}`]),
    ...providerLines(plan),
    ...serverLines(plan),
    ...commandLines(plan),
    ...plan.untrusted.map(
      (adapter) => `needs approval: ${adapter.id} starts ${adapter.command.join(' ')}  (--trust ${adapter.digest})`,
    ),
    ...plan.warnings.map(describeNotYet),
  ].map(visible);
}

/**
 * What a run can start and where it sends to: shown once for a workspace that is new on this
 * machine.
 */
export function describeReach(plan: PreparedRun): readonly string[] {
  return [...commandLines(plan), ...providerLines(plan), ...serverLines(plan)].map(visible);
}

function agentLines(plan: PreparedRun, node: AgentNode, depth: number): readonly string[] {
  const facts = [
    executorText(plan, node),
    node.skills.length === 0 ? '' : `skills ${node.skills.join(', ')}`,
    node.outputSchema === null ? '' : 'output schema',
    node.funnel === null ? '' : `gate ${node.funnel}`,
  ];
  const line = `${'  '.repeat(depth)}${node.id} (${node.role})  ${facts.filter((fact) => fact !== '').join('; ')}`;
  return [line, ...node.children.flatMap((child) => agentLines(plan, child, depth + 1))];
}

function executorText(plan: PreparedRun, node: AgentNode): string {
  if (node.executor.kind !== 'model')
    return `${node.executor.kind === 'harness' ? 'harness' : 'executor'} ${node.executor.ref}`;
  const choice = plan.snapshot.models[node.id];
  if (choice === undefined) return 'model';
  return choice.provider === 'rules' ? 'rules (no language model)' : `${choice.provider}/${choice.model}`;
}

/**
 * Where requests go and what is sent along: a file of the workspace may give any provider id
 * another address.
 */
const providersToWire = (plan: PreparedRun) =>
  Object.values(plan.snapshot.providers).map(({ id, config }) => ({
    id,
    base_url: typeof config.base_url === 'string' ? config.base_url : null,
    secrets: secretsNamedIn(config),
  }));

/**
 * Variables and credentials that a configuration reads: its key, and every reference in headers,
 * body and address.
 */
function secretsNamedIn(config: PreparedRun['snapshot']['providers'][string]['config']): readonly string[] {
  const key = typeof config.api_key_env === 'string' ? [config.api_key_env] : [];
  const text = JSON.stringify(config);
  const variables = [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map((match) => match[1] ?? '');
  const credentials = [...text.matchAll(/\{(credential\.[\w.-]+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set([...key, ...variables, ...credentials])];
}

function providerLines(plan: PreparedRun): readonly string[] {
  return providersToWire(plan).flatMap(({ id, base_url, secrets }) =>
    base_url === null
      ? []
      : [`provider ${id}: sends to ${base_url}${secrets.length === 0 ? '' : `, with ${secrets.join(', ')}`}`],
  );
}

type Snapshot = PreparedRun['snapshot'];

/** What is frozen of the run itself and of the topologies that it may ask for. */
const snapshotsOf = ({ snapshot }: PreparedRun): readonly Snapshot[] => [
  snapshot,
  ...Object.values(snapshot.children ?? {}).flatMap((child) => ('snapshot' in child ? [child.snapshot] : [])),
];

/** Every command line that this run, and the runs that it may ask for, can start. */
const commandLines = (plan: PreparedRun): readonly string[] => [...new Set(snapshotsOf(plan).flatMap(startedBy))];

function startedBy(snapshot: Snapshot): readonly string[] {
  const adapters = Object.entries(snapshot.adapters).map(
    ([id, adapter]) => `can start (adapter ${id}, ${adapter.source}): ${commandOf(adapter.spec).join(' ')}`,
  );
  const skills = Object.values(snapshot.skills).flatMap((skill) =>
    skill.implementation.type === 'command'
      ? [`can start (skill ${skill.id}): ${skill.implementation.command.argv.join(' ')}`]
      : [],
  );
  const servers = serversOf(snapshot).flatMap(({ id, argv, isSandboxed }) =>
    argv === null ? [] : [`can start (tool server ${id}${isSandboxed ? ', in a container' : ''}): ${argv.join(' ')}`],
  );
  return [...adapters, ...skills, ...servers];
}

interface ReachedServer {
  readonly id: string;
  /** Null: nothing is started here. */
  readonly argv: readonly string[] | null;
  readonly isSandboxed: boolean;
  /** As it is written, but for a user and a password; null: it is not reached over a network. */
  readonly endpoint: string | null;
  readonly secrets: readonly string[];
}

/** Tool servers that its skills call. */
const serversOf = (snapshot: Snapshot): readonly ReachedServer[] =>
  Object.values(snapshot.servers ?? {}).map(({ id, config, credentialsRef }) => ({
    id,
    argv: Array.isArray(config.command) ? config.command.map(String) : null,
    isSandboxed: config.sandboxed === true,
    endpoint: typeof config.endpoint === 'string' ? config.endpoint.replace(/\/\/[^/@]*@/, '//') : null,
    secrets: [
      ...new Set([...secretsNamedIn(config), ...(credentialsRef === null ? [] : [`credential.${credentialsRef}`])]),
    ],
  }));

function serverLines(plan: PreparedRun): readonly string[] {
  const lines = snapshotsOf(plan)
    .flatMap(serversOf)
    .flatMap(({ id, endpoint, secrets }) =>
      endpoint === null
        ? []
        : [`tool server ${id}: sends to ${endpoint}${secrets.length === 0 ? '' : `, with ${secrets.join(', ')}`}`],
    );
  return [...new Set(lines)];
}

function commandOf(spec: PreparedRun['snapshot']['adapters'][string]['spec']): readonly string[] {
  const launch = spec.launch;
  const command = typeof launch === 'object' && launch !== null && 'command' in launch ? launch.command : null;
  return Array.isArray(command) ? command.map((word) => readable(String(word))) : [];
}

/** Paths of this installation are written so that a person reads what is started. */
const readable = (word: string): string => word.replace('{runtime.node}', 'node').replace('{runtime.harness}', '<kit>');

/** The same facts as JSON. */
export function planToWire(plan: PreparedRun): object {
  const { snapshot, topology, job } = plan;
  return {
    topology: topology.name,
    version: topology.version,
    job_class: job.jobClass,
    priority: job.priority,
    agents: agentsToWire(plan, snapshot.topology.root),
    limits: {
      max_steps_per_run: snapshot.limits.maxStepsPerRun,
      max_steps_per_agent: snapshot.limits.maxStepsPerAgent,
      max_cost_per_run_usd: snapshot.limits.maxCostPerRunUsd,
      max_tokens_per_run: snapshot.limits.maxTokensPerRun ?? null,
      max_remote_calls: snapshot.limits.maxRemoteCalls ?? null,
    },
    governance: snapshot.governance.provider,
    gates: gatesToWire(plan),
    auto_resume: snapshot.autoResume ?? true,
    ...authorToWire(plan.author),
    providers: providersToWire(plan),
    tool_servers: serversOf(snapshot).map(({ id, argv, endpoint, isSandboxed, secrets }) => ({
      id,
      argv,
      endpoint,
      sandboxed: isSandboxed,
      secrets,
    })),
    commands: commandLines(plan),
    untrusted: plan.untrusted.map((adapter) => ({ ...adapter })),
    not_yet: plan.warnings.map((use) => ({ key: use.key, path: use.path, pointer: use.pointer })),
  };
}

function agentsToWire(plan: PreparedRun, node: AgentNode): object {
  return {
    id: node.id,
    role: node.role,
    executor: executorText(plan, node),
    skills: node.skills,
    has_output_schema: node.outputSchema !== null,
    gate: node.funnel,
    children: node.children.map((child) => agentsToWire(plan, child)),
  };
}

/** What `--json` says of an author whom a gate excludes and nobody knows; nothing otherwise. */
export const authorToWire = (author: PreparedRun['author']): object =>
  author === null
    ? {}
    : { author_not_identified: { identity: author.identity, message: author.message, hint: author.hint } };
