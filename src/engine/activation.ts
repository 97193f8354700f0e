import type { AgentNode } from '../domain/agent-node.js';
import type { StepOutcome } from '../domain/journal.js';
import { sha256Hex } from '../lib/sha256.js';
import { type Activate, type Activation, taskText } from './activation-call.js';
import { agentGate } from './authorize.js';
import { runDraft } from './draft-pipeline.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import { draftOnGoal } from './intent/measure-drift.js';
import type { NewEvent } from './new-event.js';
import { isParked, type Parked } from './park.js';
import { type AskedAbout, type Permitted, withPermission } from './permission.js';
import { type ActivationValue, type AgentResult, outputText, toAgentResult } from './results.js';
import { outOfPlace, outsideTask, withoutAbort } from './scopes.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';
import type { Bounded } from './tasks/bounded-task.js';
import { cutOffBy } from './unfinished.js';

type Enter = (services: RunServices, activation: Activation) => Promise<AgentResult>;

/**
 * The one agent pipeline: root, child, parallel child, model and harness alike. Outermost first:
 * the order at the agent's gate, the bounds of the topology, the step of the journal (stop check,
 * governance), the event of its end, and the work. A finished activation is one hit in the journal
 * and ends the replay of everything below it; a parked one stays open.
 */
export const runActivation: Enter = (services, activation) =>
  activation.node.funnel === null ? bounded(services, activation) : withGateOrder(services, activation, bounded);

const bounded: Enter = (services, activation) => withTaskBounds(services, activation, recorded);

/** While it runs, activations of its agent from later call sites wait at their gate. */
const withGateOrder = (services: RunServices, activation: Activation, enter: Enter): Promise<AgentResult> =>
  services.gateOrder.during({ agentId: activation.node.id, key: activation.key }, () => enter(services, activation));

/** A run without bounds never loads what holds them. What has ended needs no place. */
function withTaskBounds(services: RunServices, activation: Activation, enter: Enter): Promise<AgentResult> {
  const { slots, snapshot, steps } = services;
  return slots === undefined || snapshot.tasks === undefined || steps.rowOf(activation.key)?.outcome != null
    ? enter(services, activation)
    : inPlace(services, activation, { enter, slots, bounds: snapshot.tasks });
}

async function inPlace(
  services: RunServices,
  activation: Activation,
  { enter, ...by }: Omit<Bounded, 'agentId'> & { readonly enter: Enter },
): Promise<AgentResult> {
  const { boundedTask } = await import('./tasks/bounded-task.js');
  return boundedTask(services, { agentId: activation.node.id, ...by }, (within) => enter(within, activation));
}

/** One step of the journal around the work of an agent: nothing runs that may not. */
async function recorded(services: RunServices, activation: Activation): Promise<AgentResult> {
  // People who are asked take no working time of the agent.
  const { steps } = outsideTask(services);
  if (steps.rowOf(activation.key)?.outcome == null) await stopAtBoundary(services);
  return toAgentResult(await permittedStep(services, activation));
}

/** Who waits for it holds nothing of how it is asked for. */
function permittedStep(services: RunServices, activation: Activation): Promise<StepOutcome<ActivationValue> | Parked> {
  const untimed = outsideTask(services);
  const { steps } = untimed;
  const row = steps.rowOf(activation.key);
  const startedAt = row === undefined ? steps.now() : Date.parse(row.startedAt);
  const spec = activationStep(services, activation);
  const work = withEndEvent(services, activation, startedAt);
  return withPermission<ActivationValue>(untimed, {
    spec,
    asked: async () => askAboutAgent(activation),
    what: 'the agent',
    run: (authorize) => steps.scope<ActivationValue>({ ...spec, authorize }, work),
  });
}

function activationStep(
  services: RunServices,
  { node, key, parentKey }: Activation,
): Permitted<ActivationValue>['spec'] {
  return {
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
        // In the canonical order, as below: text in one piece (lib/canonical-json.ts).
        payload: { activation: key, executor: executorName(node), parent_key: parentKey, role: node.role },
      },
    ],
  };
}

/** Holds nothing but what it needs: it stands for as long as the agent and all below it work. */
function withEndEvent(
  services: RunServices,
  activation: Activation,
  startedAt: number,
): () => Promise<StepEnd<ActivationValue> | Parked> {
  return async () => {
    let end: StepEnd<ActivationValue> | Parked;
    try {
      ({ end } = await execute(services, activation));
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

/**
 * Of a longer task people are shown the beginning, and told how long it is; the digest is of all of
 * it.
 */
const MAX_TASK_CHARS = 100_000;

function askAboutAgent({ node, key, task }: Activation): AskedAbout {
  const text = taskText(task);
  const digest = sha256Hex(text);
  return {
    agentId: node.id,
    skillId: null,
    question: `May ${node.id} do its task? (${digest.slice(0, 16)})`,
    details: {
      action: 'agent:execute',
      task: text.slice(0, MAX_TASK_CHARS).toWellFormed(),
      ...(text.length > MAX_TASK_CHARS ? { task_chars: text.length } : {}),
      step: key,
      digest,
    },
  };
}

type Executed = Pick<DraftEnd, 'end'>;

/** An agent without a funnel has one draft, and that is its result. */
function execute(services: RunServices, activation: Activation): Promise<Executed> {
  const activate = activateBelow(services);
  const draft = (call: Omit<DraftCall, 'activate'>): Promise<DraftEnd> =>
    draftOnGoal(services, { ...call, activate }, { goal: activation, draft: (made) => runDraft(services, made) });
  return activation.node.funnel === null
    ? draft({ activation, first: 0 })
    : executeFunnel(services, { funnel: activation.node.funnel, activation, activate, draft });
}

/** An agent below has a place and a time of its own; who called it waits without both. */
const activateBelow =
  (services: RunServices): Activate =>
  (child, scope) => {
    const outside = outsideTask(services);
    const below = scope === 'tolerant' ? withoutAbort(outside) : outside;
    return outOfPlace(services, () => runActivation(below, child));
  };

interface FunnelCall {
  readonly funnel: string;
  readonly activation: Activation;
  readonly activate: Activate;
  readonly draft: (call: Omit<DraftCall, 'activate'>) => Promise<DraftEnd>;
}

async function executeFunnel(services: RunServices, { funnel, ...call }: FunnelCall): Promise<Executed> {
  const linked = services.snapshot.funnels?.[funnel];
  if (linked === undefined) throw new Error(`snapshot holds no funnel ${funnel}`);
  // Gates, judges and reviewers are modules that a run without them never loads.
  const { runFunnel } = await import('./funnel/run-funnel.js');
  return { end: await runFunnel(services, { funnel: linked, ...call }) };
}

function completedEvent(activation: Activation, end: StepEnd<ActivationValue>, durationMs: number): NewEvent {
  const { outcome } = end;
  return {
    type: 'agent.completed',
    agentId: activation.node.id,
    skillId: null,
    payload: {
      activation: activation.key,
      duration_ms: durationMs,
      reason: outcome.status === 'ok' ? null : outcome.reason,
      result_length: outcome.status === 'ok' ? outputText(outcome.value.output).length : 0,
      role: activation.node.role,
      status: outcome.status === 'ok' ? 'ok' : 'failed',
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
