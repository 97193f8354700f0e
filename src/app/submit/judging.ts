import { withMembers } from '../../compile/link/composed-members.js';
import { agentsOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import { KitError } from '../../domain/errors.js';
import type { RunRequest } from '../../domain/job.js';
import type { Judgement } from '../../domain/judgement.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { Workspace } from '../../domain/workspace.js';
import { RUBRIC_JUDGE } from '../../prompts/judge.js';
import { NO_CHOICE, type ResolvedModels } from './resolve-models.js';

/** Id of kit's own judge. */
const OWN_JUDGE = 'kit-rubric';

/**
 * Judges by the rubric that comes with the question; its model is chosen like that of any judge
 * that names none.
 */
const ownJudge: LinkedSkill = {
  id: OWN_JUDGE,
  description: 'Judges an output by a rubric.',
  category: 'decision',
  inputs: null,
  outputs: null,
  requiredScopes: [],
  effects: 'none',
  onInDoubt: 'repeat',
  audit: { logInputs: 'summary', logOutputs: 'summary', redact: [] },
  implementation: {
    type: 'llm_prompt',
    prompt: RUBRIC_JUDGE,
    model: NO_CHOICE,
  },
};

/** What a request to judge adds to a snapshot, and whose models the run can call. */
export interface Judging {
  readonly judgement: Judgement;
  /** The judge, then the members of a panel, at any depth. */
  readonly skills: readonly LinkedSkill[];
  /**
   * False: the judge brings its own model, or is not a model at all, so that of the entry agent
   * need not be there.
   */
  readonly usesAgent: boolean;
}

/**
 * Null for a run that carries out its topology, and for a judge that the workspace lacks: rules
 * refuse an eval set that names one.
 */
export function judgingOf(workspace: Workspace, { judge }: RunRequest): Judging | null {
  if (judge === undefined) return null;
  const skill = judge.skill === null ? ownJudge : workspace.skills.get(judge.skill);
  if (skill === undefined) return null;
  const members = withMembers(workspace, [skill.id]).flatMap((id) =>
    id === skill.id ? [] : (workspace.skills.get(id) ?? []),
  );
  const skills = [skill, ...members];
  return { judgement: { ...judge, skill: skill.id }, skills, usesAgent: skills.some(isModelOfAgent) };
}

/** A prompt that names no model speaks with that of the agent. */
const isModelOfAgent = ({ implementation }: LinkedSkill): boolean =>
  implementation.type === 'llm_prompt' && implementation.model.provider === null && implementation.model.name === null;

/**
 * A question in words needs a language model: `rules` only copies values that a schema names, and
 * its empty answer would be taken for one. Throws KIT_USAGE.
 */
export function assertAnswers({ answer }: RunRequest, { providers }: Pick<ResolvedModels, 'providers'>): void {
  const rules = Object.entries(providers).find(([, { contribution }]) => contribution === 'kit.rules');
  if (answer === undefined || rules === undefined) return;
  throw new KitError('KIT_USAGE', `the provider ${rules[0]} is not a language model, so nobody can be asked`, {
    hint: 'Set KIT_PROVIDER and KIT_MODEL; without a model, `kit why RUN` and `kit logs RUN` tell what happened.',
  });
}

/**
 * What a run carries out. Of one that judges or answers a question: the entry agent alone, on the
 * model of the first agent that names one, with nothing to call.
 */
export function topologyFor({ judge, answer }: RunRequest, topology: LinkedTopology): LinkedTopology {
  if (judge === undefined && answer === undefined) return topology;
  const { root } = topology;
  const model =
    [root, ...agentsOf(root)].find((node) => node.executor.kind === 'model' && node.model.provider !== null)?.model ??
    root.model;
  const { intent: _intent, ...rest } = root;
  const systemPrompt = answer?.system ?? root.systemPrompt;
  const alone: AgentNode = {
    ...rest,
    model,
    systemPrompt,
    executor: { kind: 'model' },
    skills: [],
    requires: {},
    funnel: null,
    outputSchema: null,
    children: [],
  };
  return {
    ...topology,
    root: alone,
    inputSchema: null,
    locks: [],
    decisions: [],
    planning: null,
    synthesis: null,
    knowledge: [],
  };
}
