import type { AgentNode } from '../domain/agent-node.js';
import { sha256Hex } from '../lib/sha256.js';
import { type Activate, type Activation, taskText } from './activation-call.js';
import { agentGate } from './authorize.js';
import type { EventDraft } from './draft.js';
import { runDraft } from './draft-pipeline.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import { draftOnGoal } from './intent/measure-drift.js';
import { isParked, type Parked } from './park.js';
import { type AskedAbout, type Permitted, withPermission } from './permission.js';
import { type ActivationValue, type AgentResult, outputText, toAgentResult } from './results.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';
import type { Bounded } from './tasks/bounded-task.js';
import { cutOffBy } from './unfinished.js';

/**
 * The one agent pipeline: root, child, parallel child, model and harness alike. Enter (stop check,
 * governance), execute, finish. A finished activation is one hit in the journal and ends the replay
 * of everything below it; a parked one stays open.
 */
export function runActivation(services: RunServices, activation: Activation): Promise<AgentResult> {
  const { node, key } = activation;
  const run = (): Promise<AgentResult> => atWork(services, activation);
  return node.funnel === null ? run() : services.turns.during({ agentId: node.id, key }, run);
}

/** A run without bounds never loads what holds them. */
function atWork(services: RunServices, activation: Activation): Promise<AgentResult> {
  const { slots, snapshot } = services;
  return slots === undefined || snapshot.tasks === undefined
    ? enterActivation(services, activation)
    : atBoundedWork(services, activation, { slots, bounds: snapshot.tasks });
}

type BoundedBy = Omit<Bounded, 'agentId'>;

/** What has ended needs no place. */
async function atBoundedWork(services: RunServices, activation: Activation, by: BoundedBy): Promise<AgentResult> {
  const { node, key } = activation;
  if (services.steps.rowOf(key)?.outcome != null) return enterActivation(services, activation);
  const { boundedTask } = await import('./tasks/bounded-task.js');
  return boundedTask(services, { agentId: node.id, ...by }, (within) => enterActivation(within, activation));
}

async function enterActivation(services: RunServices, activation: Activation): Promise<AgentResult> {
  const { node, key } = activation;
  const outer = services.task?.outer ?? services;
  const { steps } = outer;
  const row = steps.rowOf(key);
  if (row?.outcome == null) await stopAtBoundary(services);
  const startedAt = row === undefined ? steps.now() : Date.parse(row.startedAt);
  const spec: Permitted<ActivationValue>['spec'] = {
    key,
    kind: 'activation',
    identity: { agent: node.id, executor: node.executor.kind },
    effects: 'none',
    onInDoubt: 'repeat',
    agentId: node.id,
    units: 0,
    ...agentGate(services, node),
    startEvents: [
      {
        type: 'agent.started',
        agentId: node.id,
        skillId: null,
        payload: { role: node.role, executor: executorName(node), parent_key: activation.parentKey, activation: key },
      },
    ],
  };
  const enter = atExecution(services, activation, startedAt);
  // People who are asked take no working time of the agent.
  return withPermission<ActivationValue>(outer, {
    spec,
    asked: async () => askAboutAgent(activation),
    what: 'the agent',
    run: (authorize) => steps.scope<ActivationValue>({ ...spec, authorize }, enter),
  }).then(toAgentResult);
}

/** Holds nothing but what it needs: it stands for as long as the agent and all below it work. */
function atExecution(
  services: RunServices,
  activation: Activation,
  startedAt: number,
): () => Promise<StepEnd<ActivationValue> | Parked> {
  return async () => {
    let end: StepEnd<ActivationValue> | Parked;
    try {
      end = await execute(services, activation);
    } catch (error) {
      end = endOfTime(services, error);
    }
    if (isParked(end)) return end;
    const durationMs = Math.max(0, services.steps.now() - startedAt);
    return { ...end, events: [...(end.events ?? []), completedEvent(activation, end, durationMs)] };
  };
}

/**
 * An agent whose working time is used up has failed; anything else that leaves it unfinished goes
 * on up.
 */
function endOfTime(services: RunServices, error: unknown): StepEnd<never> {
  const cut = cutOffBy(error, services.steps.deps);
  if (cut === null) throw error;
  return failedEnd(cut.reason, cut.message);
}

/** Of a longer task people are shown the beginning; the digest is of all of it. */
const MAX_TASK_CHARS = 4000;

function askAboutAgent({ node, key, task }: Activation): AskedAbout {
  const text = taskText(task);
  const digest = sha256Hex(text);
  return {
    agentId: node.id,
    skillId: null,
    question: `May ${node.id} do its task? (${digest.slice(0, 16)})`,
    details: { action: 'agent:execute', task: text.slice(0, MAX_TASK_CHARS).toWellFormed(), step: key, digest },
  };
}

/** An agent without a funnel has one draft, and that is its result. */
function execute(services: RunServices, activation: Activation): Promise<StepEnd<ActivationValue> | Parked> {
  const { task } = services;
  const activate: Activate = (child, scope) => {
    const { outer } = task ?? { outer: services };
    const run = (): Promise<AgentResult> => runActivation(scope === 'tolerant' ? tolerantOf(outer) : outer, child);
    return task === undefined ? run() : task.aside(run);
  };
  const draft = (call: Omit<DraftCall, 'activate'>): Promise<DraftEnd> =>
    draftOnGoal(services, { ...call, activate }, { goal: activation, draft: (made) => runDraft(services, made) });
  return activation.node.funnel === null
    ? draft({ activation, first: 0 }).then(({ end }) => end)
    : executeFunnel(services, { funnel: activation.node.funnel, activation, activate, draft });
}

/** A failure inside ends nothing beside it. */
const tolerantOf = (outer: RunServices): RunServices => ({ ...outer, abort: () => undefined });

interface FunnelCall {
  readonly funnel: string;
  readonly activation: Activation;
  readonly activate: Activate;
  readonly draft: (call: Omit<DraftCall, 'activate'>) => Promise<DraftEnd>;
}

async function executeFunnel(
  services: RunServices,
  { funnel, ...call }: FunnelCall,
): Promise<StepEnd<ActivationValue> | Parked> {
  const linked = services.snapshot.funnels?.[funnel];
  if (linked === undefined) throw new Error(`snapshot holds no funnel ${funnel}`);
  // Gates, judges and reviewers are modules that a run without them never loads.
  const { runFunnel } = await import('./funnel/run-funnel.js');
  return runFunnel(services, { funnel: linked, ...call });
}

function completedEvent(activation: Activation, end: StepEnd<ActivationValue>, durationMs: number): EventDraft {
  const { outcome } = end;
  return {
    type: 'agent.completed',
    agentId: activation.node.id,
    skillId: null,
    payload: {
      role: activation.node.role,
      activation: activation.key,
      status: outcome.status === 'ok' ? 'ok' : 'failed',
      reason: outcome.status === 'ok' ? null : outcome.reason,
      result_length: outcome.status === 'ok' ? outputText(outcome.value.output).length : 0,
      duration_ms: durationMs,
    },
  };
}

/** `model`, `harness:<adapter>` or the kind of a plugin's executor. */
export function executorName(node: AgentNode): string {
  const { executor } = node;
  switch (executor.kind) {
    case 'model':
      return 'model';
    case 'harness':
      return `harness:${executor.ref}`;
    case 'plugin':
      return executor.ref;
  }
}
