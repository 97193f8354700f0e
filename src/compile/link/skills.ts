import type {
  CommandImplementation,
  SkillConstraints as ConstraintsBlock,
  Implementation,
  Workspace,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Effects, OnInDoubt } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedImplementation, LinkedSkill, SkillConstraints } from '../../domain/linked-skill.js';
import { own } from '../../lib/own.js';
import { runsTopology } from '../../prompts/tools.js';
import { commandInputs, type PackCommand, packCommands, syntheticSkill, syntheticSkillId } from './command-packs.js';
import { onInDoubt } from './effects.js';
import { knowledgeBases, knowledgeSkill } from './knowledge.js';
import { modelChoice } from './merge.js';
import type { Checked, Registries } from './registries.js';
import { skillAudit } from './skill-audit.js';

/** `timeout_s` of an agent skill. */
const AGENT_TIMEOUT_S = 600;
/** Of an agent that runs elsewhere; its people take their time beside it. */
const REMOTE_TIMEOUT_S = 1800;
const NO_BOUND = Number.POSITIVE_INFINITY;

/** What linking a skill looks up. */
interface SkillScope {
  readonly workspace: Workspace;
  readonly commands: readonly PackCommand[];
  readonly topologies: Registries['topologies'];
}

const commandOf = (scope: SkillScope, { pack, command }: CommandImplementation): PackCommand | null =>
  scope.commands.find((known) => known.pack === pack && known.id === command) ?? null;

/**
 * What the topology behind an agent skill asks for, where that is written there as an object: a
 * tool takes nothing else.
 */
function inputsOfTopology(scope: SkillScope, topology: string): JsonObject | null {
  const name = topology.split('@')[0];
  const found = [...scope.topologies.values()].find(({ value }) => value.metadata.name === name);
  const schema = found?.value.input_schema;
  return schema?.type === 'object' ? schema : null;
}

/** Null when a reference leads nowhere; a rule has said so. */
function linkImplementation(scope: SkillScope, block: Implementation): LinkedImplementation | null {
  switch (block.type) {
    case 'llm_prompt':
      return { type: 'llm_prompt', prompt: block.prompt, model: modelChoice(block.model) };
    case 'command': {
      const found = commandOf(scope, block);
      return found === null ? null : { type: 'command', pack: found.pack, command: found.command };
    }
    case 'mcp_tool':
      return { type: 'mcp_tool', server: block.server, tool: block.tool, arguments: block.arguments ?? {} };
    case 'composed':
      return {
        type: 'composed',
        composes: block.composes,
        strategy: block.strategy ?? DEFAULTS.ComposedImplementation.strategy,
        ...(block.strategy_class === undefined ? {} : { strategyClass: block.strategy_class }),
      };
    case 'agent':
      return {
        // Nothing where nothing is written: snapshots of before name neither.
        ...(block.on_unanswerable === undefined ? {} : { onUnanswerable: block.on_unanswerable }),
        ...(block.max_agent_answers === undefined ? {} : { maxAgentAnswers: block.max_agent_answers }),
        type: 'agent',
        topology: block.topology ?? null,
        cardUrl: block.card_url ?? null,
        skillId: block.skill_id ?? null,
        credentialsRef: block.credentials_ref ?? null,
        timeoutMs: (block.timeout_s ?? (block.card_url === undefined ? AGENT_TIMEOUT_S : REMOTE_TIMEOUT_S)) * 1000,
        permission: block.permission ?? DEFAULTS.AgentImplementation.permission,
      };
  }
}

/** What a skill does to the outside, and what its author wrote about doubt. */
function declaredEffects(
  scope: SkillScope,
  block: Implementation,
): { readonly effects: Effects; readonly choice?: OnInDoubt | undefined } {
  switch (block.type) {
    case 'command': {
      const found = commandOf(scope, block);
      return { effects: found?.effects ?? DEFAULTS.PackCommand.effects, choice: found?.onInDoubt };
    }
    case 'mcp_tool': {
      const server = scope.workspace.mcp_servers?.find(({ id }) => id === block.server);
      return {
        effects: own(server?.effects ?? {}, block.tool) ?? 'unknown',
        choice: own(server?.on_in_doubt ?? {}, block.tool),
      };
    }
    case 'agent':
      return { effects: block.effects ?? DEFAULTS.AgentImplementation.effects, choice: block.on_in_doubt };
    case 'llm_prompt':
    case 'composed':
      return { effects: 'none' };
  }
}

/** Null when nothing is written that bounds a call or repeats it (docs/skills.md#results). */
function constraintsOf({ retry, ...block }: ConstraintsBlock): SkillConstraints | null {
  const { max_latency_ms: latencyMs = NO_BOUND, timeout_seconds: seconds = NO_BOUND } = block;
  const timeoutMs = Math.min(latencyMs, seconds * 1000);
  const { attempts, backoff } = { ...DEFAULTS['SkillConstraints.retry'], ...retry };
  const retries = block.on_failure === 'retry' || retry !== undefined ? attempts : 0;
  if (timeoutMs === NO_BOUND && retries === 0) return null;
  return { timeoutMs: timeoutMs === NO_BOUND ? null : timeoutMs, retries, backoff };
}

function linkSkill(scope: SkillScope, id: string, { value: skill }: Checked<'Skill'>): LinkedSkill | null {
  const { implementation: block, category, constraints: written = {} } = skill;
  const implementation = linkImplementation(scope, block);
  if (implementation === null) return null;
  const { effects, choice } = declaredEffects(scope, block);
  const constraints = constraintsOf(written);
  return {
    id,
    description: skill.metadata.description,
    category,
    inputs: skill.inputs ?? ownInputs(scope, block),
    outputs: skill.outputs ?? null,
    requiredScopes: skill.iam?.required_scopes ?? [],
    effects,
    onInDoubt: onInDoubt(choice, effects),
    ...(written.on_failure === 'escalate_to_human' ? { onFailure: written.on_failure } : {}),
    ...(constraints === null ? {} : { constraints }),
    audit: skillAudit(category, skill.audit),
    implementation,
  };
}

/** What a skill takes whose file does not say. */
function ownInputs(scope: SkillScope, block: Implementation): JsonObject | null {
  const command = block.type === 'command' ? commandOf(scope, block) : null;
  if (command !== null) return commandInputs(command);
  return block.type === 'agent' && block.topology !== undefined ? inputsOfTopology(scope, block.topology) : null;
}

/** The agent skill `topology-<name>` that `pack:workspace` grants. */
const topologySkill = (name: string, description: string | undefined, scope: SkillScope): LinkedSkill => ({
  id: `topology-${name}`,
  description: description ?? runsTopology(name),
  category: 'capability',
  inputs: inputsOfTopology(scope, name),
  outputs: null,
  requiredScopes: [],
  effects: 'unknown',
  onInDoubt: onInDoubt(undefined, 'unknown'),
  audit: skillAudit('capability'),
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
    const { name, description } = artifact.value.metadata;
    const linked = topologySkill(name, description, scope);
    if (!skills.has(linked.id)) skills.set(linked.id, linked);
  }
  return skills;
}
