import { heldSkills } from '../compile/link/held-skills.js';
import type { AgentNode } from '../domain/agent-node.js';
import type { JsonSchema } from '../domain/json.js';
import type { LinkedSkill } from '../domain/linked-skill.js';
import type { ToolSpec } from '../domain/ports/model.js';
import { numberOf, type RunSnapshot, ruleSetOf, stringOf } from '../domain/snapshot.js';
import { delegation, TASK } from '../prompts/tools.js';
import type { Exchange } from './activation-call.js';
import { retrieveTools } from './compress/retrieve.js';
import { isResearchOnly, type Plan } from './planning/plan.js';
import { allPlanTools, changesPlan, isPlanTool, planToolSpecs } from './planning/plan-tools.js';
import type { ToolLedger } from './tool-call.js';

export const newLedger = (plan: Plan | null = null): ToolLedger => new Ledger(plan);

/** Each conversation has one, and most count nothing: a table is made with its first use. */
class Ledger implements ToolLedger {
  wave: string | null = null;
  isCut = false;
  readonly plan: Plan | null;
  #calls: Map<string, number> | undefined;
  #delegations: Map<string, number> | undefined;
  #exchanges: Map<string, Exchange[]> | undefined;
  #satisfied: Set<string> | undefined;

  constructor(plan: Plan | null) {
    this.plan = plan;
  }

  get calls(): Map<string, number> {
    this.#calls ??= new Map();
    return this.#calls;
  }

  get delegations(): Map<string, number> {
    this.#delegations ??= new Map();
    return this.#delegations;
  }

  get exchanges(): Map<string, Exchange[]> {
    this.#exchanges ??= new Map();
    return this.#exchanges;
  }

  get satisfied(): Set<string> {
    this.#satisfied ??= new Set();
    return this.#satisfied;
  }
}

const DELEGATE = 'delegate_to_';
const TASK_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['task'],
  properties: {
    task: { type: 'string', minLength: 1, description: TASK },
  },
};
/** Shown for a skill that declares no `inputs` (docs/design/workspace.md#skill-defaults). */
const FREE_INPUT: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['input'],
  properties: { input: { type: 'string' } },
};

export const delegateName = (childId: string): string => `${DELEGATE}${childId}`;

/** The child that a tool name delegates to, or null. */
export function delegateTarget(node: AgentNode, toolName: string): AgentNode | null {
  if (!toolName.startsWith(DELEGATE)) return null;
  return node.children.find((child) => child.id === toolName.slice(DELEGATE.length)) ?? null;
}

/**
 * The tools of a conversation, in every request of it, whatever may be called just now: one per
 * child, those of the plan, and the agent's skills that a model can call. Each provider puts tools
 * before messages, so a tool that came or went would cost the cache of all that was said. One comes
 * once, when something was left out of a result: `context_retrieve`.
 */
export const toolsOf = (snapshot: RunSnapshot, node: AgentNode, { plan, isCut }: ToolLedger): readonly ToolSpec[] =>
  specsOf(snapshot, {
    children: node.children,
    planTools: plan === null ? [] : allPlanTools(plan, node),
    skills: modelSkills(snapshot, node, plan),
    isCut,
  });

/**
 * The tools that may be called in a turn, which before rule set 3 were those of its request: one
 * per child that may still be called, those of the plan, and the agent's skills that a model can
 * call.
 */
export function offeredTools(snapshot: RunSnapshot, node: AgentNode, ledger: ToolLedger): readonly ToolSpec[] {
  const maxDelegations = numberOf(snapshot, 'KIT_MAX_DELEGATIONS_PER_CHILD');
  const { plan, isCut } = ledger;
  return specsOf(snapshot, {
    children: node.children.filter((child) => (ledger.delegations.get(child.id) ?? 0) < maxDelegations),
    planTools: plan === null ? [] : planToolSpecs(plan, node),
    skills: callableSkills(snapshot, node, ledger),
    isCut,
  });
}

interface Offer {
  readonly children: readonly AgentNode[];
  readonly planTools: readonly ToolSpec[];
  readonly skills: readonly LinkedSkill[];
  readonly isCut: boolean;
}

const specsOf = (snapshot: RunSnapshot, { children, planTools, skills, isCut }: Offer): readonly ToolSpec[] => [
  ...children.map(delegateTool),
  ...planTools,
  ...skills.map(skillTool),
  ...retrieveTools(snapshot, { hasTools: skills.length > 0, isCut }),
];

/**
 * The skills that a model can call now: in two phases none until there is a scope
 * (docs/design/execution.md#plans).
 */
export const callableSkills = (snapshot: RunSnapshot, node: AgentNode, { plan }: ToolLedger): readonly LinkedSkill[] =>
  plan !== null && isResearchOnly(plan) ? [] : modelSkills(snapshot, node, plan);

/**
 * A coordinator whose answer a synthesizer writes has no skills; its tasks for itself have all of
 * them.
 */
function modelSkills(snapshot: RunSnapshot, node: AgentNode, plan: Plan | null): readonly LinkedSkill[] {
  if (plan === null) return heldSkills(snapshot, node);
  return plan.hasSynthesizer ? [] : heldSkills(snapshot, node).filter(({ id }) => !isPlanTool(id));
}

/** Made once for a snapshot, which all runs of a topology share: each of them offers the same. */
const delegateTools = new WeakMap<AgentNode, ToolSpec>();

function delegateTool(child: AgentNode): ToolSpec {
  const known = delegateTools.get(child);
  if (known !== undefined) return known;
  const tool: ToolSpec = {
    name: delegateName(child.id),
    description: delegation(child, child.outputSchema !== null),
    inputSchema: TASK_SCHEMA,
  };
  delegateTools.set(child, tool);
  return tool;
}

function skillTool(skill: LinkedSkill): ToolSpec {
  return { name: skill.id, description: skill.description, inputSchema: skill.inputs ?? FREE_INPUT };
}

/** How often one tool may be called in one turn (KIT_MAX_PER_TOOL, KIT_MAX_PER_READ_TOOL). */
export function maxCalls(snapshot: RunSnapshot, skill: LinkedSkill, reads: readonly string[]): number {
  return numberOf(snapshot, isReadTool(snapshot, skill, reads) ? 'KIT_MAX_PER_READ_TOOL' : 'KIT_MAX_PER_TOOL');
}

/** Before rule set 2 they were counted per activation. */
export const countsPerTurn = (snapshot: RunSnapshot): boolean => ruleSetOf(snapshot) >= 2;

/**
 * The same for a tool of kit's own: one that changes a plan or its scope counts as one that writes,
 * any other as one that reads.
 */
export function maxOwnCalls(snapshot: RunSnapshot, name: string): number {
  return numberOf(snapshot, isPlanTool(name) && changesPlan(name) ? 'KIT_MAX_PER_TOOL' : 'KIT_MAX_PER_READ_TOOL');
}

/**
 * Declared effects decide, then what the server said, and only without either the configured names
 * (docs/design/execution.md#read-tools).
 */
function isReadTool(snapshot: RunSnapshot, skill: LinkedSkill, reads: readonly string[]): boolean {
  if (reads.includes(skill.id)) return true;
  if (skill.effects !== 'unknown') return skill.effects === 'read' || skill.effects === 'none';
  const names = listOf(stringOf(snapshot, 'KIT_READ_TOOLS'));
  const prefixes = listOf(stringOf(snapshot, 'KIT_READ_TOOL_PREFIXES'));
  return names.includes(skill.id) || prefixes.some((prefix) => skill.id.startsWith(prefix));
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
