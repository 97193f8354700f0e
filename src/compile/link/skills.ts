import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Effects } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedImplementation, LinkedSkill, SkillConstraints } from '../../domain/linked-skill.js';
import { runsTopology } from '../../prompts/tools.js';
import { numberAt, objectAt, objectsAt, textAt, textsAt } from '../read.js';
import { commandInputs, type PackCommand, packCommands, syntheticSkill, syntheticSkillId } from './command-packs.js';
import { effectsOr, onInDoubt } from './effects.js';
import { knowledgeBases, knowledgeSkill } from './knowledge.js';
import { modelChoice } from './merge.js';
import type { Art, Registries } from './registries.js';
import { type SkillCategory, skillAudit } from './skill-audit.js';
import { tierOr } from './tiers.js';

const CATEGORIES: readonly SkillCategory[] = ['capability', 'decision', 'coordination', 'persistence'];

/** `timeout_s` of an agent skill. */
const AGENT_TIMEOUT_S = 600;
/** Of an agent that runs elsewhere; its people take their time beside it. */
const REMOTE_TIMEOUT_S = 1800;
/**
 * Attempts after the first that `on_failure: retry` stands for where `retry.attempts` says nothing.
 */
const DEFAULT_RETRIES = 2;

type RemoteImplementation = Extract<LinkedImplementation, { type: 'agent' }>;

/** What linking a skill looks up. */
interface SkillScope {
  readonly workspace: JsonObject;
  readonly commands: readonly PackCommand[];
  readonly topologies: Registries['topologies'];
}

const serverOf = (workspace: JsonObject, id: string | null): JsonObject | null =>
  objectsAt(workspace, 'mcp_servers').find((server) => textAt(server, 'id') === id) ?? null;

const commandOf = (scope: SkillScope, implementation: JsonObject): PackCommand | null =>
  scope.commands.find(
    (command) => command.pack === textAt(implementation, 'pack') && command.id === textAt(implementation, 'command'),
  ) ?? null;

/**
 * What the topology behind an agent skill asks for, where that is written there as an object: a
 * tool takes nothing else.
 */
function inputsOfTopology(scope: SkillScope, implementation: JsonObject): JsonObject | null {
  const name = textAt(implementation, 'topology')?.split('@')[0] ?? null;
  if (name === null) return null;
  const found = [...scope.topologies.values()].find(
    (artifact) => textAt(objectAt(artifact.value, 'metadata'), 'name') === name,
  );
  const schema = objectAt(found?.value ?? null, 'input_schema');
  return textAt(schema, 'type') === 'object' ? schema : null;
}

/** Null when a reference leads nowhere; a rule has said so. */
function linkImplementation(scope: SkillScope, implementation: JsonObject): LinkedImplementation | null {
  switch (textAt(implementation, 'type')) {
    case 'llm_prompt':
      return {
        type: 'llm_prompt',
        prompt: textAt(implementation, 'prompt') ?? '',
        model: modelChoice(objectAt(implementation, 'model')),
      };
    case 'command': {
      const found = commandOf(scope, implementation);
      return found === null ? null : { type: 'command', pack: found.pack, command: found.command };
    }
    case 'mcp_tool':
      return {
        type: 'mcp_tool',
        server: textAt(implementation, 'server') ?? '',
        tool: textAt(implementation, 'tool') ?? '',
        arguments: objectAt(implementation, 'arguments') ?? {},
      };
    case 'composed': {
      const strategyClass = textAt(implementation, 'strategy_class');
      return {
        type: 'composed',
        composes: textsAt(implementation, 'composes'),
        strategy: textAt(implementation, 'strategy') ?? DEFAULTS.ComposedImplementation.strategy,
        ...(strategyClass === null ? {} : { strategyClass }),
      };
    }
    case 'agent':
      return {
        ...answersOf(implementation),
        type: 'agent',
        topology: textAt(implementation, 'topology'),
        cardUrl: textAt(implementation, 'card_url'),
        skillId: textAt(implementation, 'skill_id'),
        credentialsRef: textAt(implementation, 'credentials_ref'),
        timeoutMs:
          (numberAt(implementation, 'timeout_s') ??
            (textAt(implementation, 'card_url') === null ? AGENT_TIMEOUT_S : REMOTE_TIMEOUT_S)) * 1000,
        permission: tierOr(textAt(implementation, 'permission'), DEFAULTS.AgentImplementation.permission),
      };
    default:
      return null;
  }
}

/** Nothing where nothing is written: snapshots of before name neither. */
function answersOf(implementation: JsonObject): Pick<RemoteImplementation, 'onUnanswerable' | 'maxAgentAnswers'> {
  const policy = textAt(implementation, 'on_unanswerable');
  const most = numberAt(implementation, 'max_agent_answers');
  return {
    ...(policy === 'agent' || policy === 'relay' || policy === 'abort' ? { onUnanswerable: policy } : {}),
    ...(most === null ? {} : { maxAgentAnswers: most }),
  };
}

/** What a skill does to the outside, and what its author wrote about doubt. */
function declaredEffects(
  scope: SkillScope,
  implementation: JsonObject,
): { readonly effects: Effects; readonly choice: string | null } {
  switch (textAt(implementation, 'type')) {
    case 'command': {
      const found = commandOf(scope, implementation);
      return { effects: found?.effects ?? 'write', choice: found?.onInDoubt ?? null };
    }
    case 'mcp_tool': {
      const server = serverOf(scope.workspace, textAt(implementation, 'server'));
      const tool = textAt(implementation, 'tool') ?? '';
      return {
        effects: effectsOr(textAt(objectAt(server, 'effects'), tool), 'unknown'),
        choice: textAt(objectAt(server, 'on_in_doubt'), tool),
      };
    }
    case 'agent':
      return {
        effects: effectsOr(textAt(implementation, 'effects'), DEFAULTS.AgentImplementation.effects),
        choice: textAt(implementation, 'on_in_doubt'),
      };
    default:
      return { effects: 'none', choice: null };
  }
}

/** Null when nothing is written that bounds a call or repeats it (docs/skills.md#results). */
function constraintsOf(block: JsonObject | null): SkillConstraints | null {
  const retry = objectAt(block, 'retry');
  const seconds = numberAt(block, 'timeout_seconds');
  const limits = [numberAt(block, 'max_latency_ms'), seconds === null ? null : seconds * 1000].filter(
    (limit) => limit !== null,
  );
  const retries =
    numberAt(retry, 'attempts') ?? (textAt(block, 'on_failure') === 'retry' || retry !== null ? DEFAULT_RETRIES : 0);
  if (limits.length === 0 && retries === 0) return null;
  const written = textAt(retry, 'backoff');
  const backoff = written === 'linear' || written === 'none' ? written : DEFAULTS['SkillConstraints.retry'].backoff;
  return { timeoutMs: limits.length === 0 ? null : Math.min(...limits), retries, backoff };
}

function linkSkill(scope: SkillScope, id: string, artifact: Art): LinkedSkill | null {
  const skill = artifact.value;
  const block = objectAt(skill, 'implementation') ?? {};
  const implementation = linkImplementation(scope, block);
  if (implementation === null) return null;
  const category = CATEGORIES.find((word) => word === textAt(skill, 'category')) ?? 'capability';
  const { effects, choice } = declaredEffects(scope, block);
  const command = implementation.type === 'command' ? commandOf(scope, block) : null;
  const constraints = constraintsOf(objectAt(skill, 'constraints'));
  return {
    id,
    description: textAt(objectAt(skill, 'metadata'), 'description') ?? '',
    category,
    inputs: objectAt(skill, 'inputs') ?? (command === null ? inputsOfTopology(scope, block) : commandInputs(command)),
    outputs: objectAt(skill, 'outputs'),
    requiredScopes: textsAt(objectAt(skill, 'iam'), 'required_scopes'),
    effects,
    onInDoubt: onInDoubt(choice, effects),
    ...(textAt(objectAt(skill, 'constraints'), 'on_failure') === 'escalate_to_human'
      ? { onFailure: 'escalate_to_human' as const }
      : {}),
    ...(constraints === null ? {} : { constraints }),
    audit: skillAudit(category, objectAt(skill, 'audit')),
    implementation,
  };
}

/** The agent skill `topology-<name>` that `pack:workspace` grants. */
const topologySkill = (name: string, description: string | null, scope: SkillScope): LinkedSkill => ({
  id: `topology-${name}`,
  description: description ?? runsTopology(name),
  category: 'capability',
  inputs: inputsOfTopology(scope, { topology: name }),
  outputs: null,
  requiredScopes: [],
  effects: 'unknown',
  onInDoubt: onInDoubt(null, 'unknown'),
  audit: skillAudit('capability', null),
  implementation: {
    type: 'agent',
    topology: name,
    cardUrl: null,
    skillId: null,
    credentialsRef: null,
    timeoutMs: AGENT_TIMEOUT_S * 1000,
    permission: 'cautious',
  },
});

/**
 * Files first, then what command packs, knowledge bases and topologies stand for; a file wins over
 * a synthetic skill of its id (a rule reports the clash).
 */
export function linkSkills(registries: Registries): ReadonlyMap<string, LinkedSkill> {
  const workspace = registries.config.value;
  const commands = packCommands(workspace);
  const scope: SkillScope = { workspace, commands, topologies: registries.topologies };
  const skills = new Map<string, LinkedSkill>();
  for (const [id, artifact] of registries.skills) {
    const linked = linkSkill(scope, id, artifact);
    if (linked !== null) skills.set(id, linked);
  }
  for (const command of commands) {
    const id = syntheticSkillId(command);
    if (!registries.skills.has(id)) skills.set(id, syntheticSkill(command));
  }
  for (const base of knowledgeBases(registries.topologies.values()).values()) {
    const linked = knowledgeSkill(base);
    if (!skills.has(linked.id)) skills.set(linked.id, linked);
  }
  for (const artifact of registries.topologies.values()) {
    const metadata = objectAt(artifact.value, 'metadata');
    const linked = topologySkill(textAt(metadata, 'name') ?? '', textAt(metadata, 'description'), scope);
    if (!skills.has(linked.id)) skills.set(linked.id, linked);
  }
  return skills;
}
