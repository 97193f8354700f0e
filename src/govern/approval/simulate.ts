import type { ApprovalPolicy, GateStatus, Outcome, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { Submitter } from '../../domain/job.js';
import { withRows } from './change.js';
import { type GateReading, gateReading } from './gate-reading.js';
import { openRound } from './open-round.js';
import { isMember, personOf, roleCalled } from './people.js';
import { policyDigest } from './policy-digest.js';
import { resolveItem } from './resolve-item.js';
import { isOpen } from './rules.js';

/** What one person would decide about every task that is open to them. */
export interface ScriptStep {
  readonly identity: string;
  readonly outcome: Outcome;
}

/** One attempt, and what the gate is after it. */
export interface SimulatedStep {
  readonly identity: string;
  readonly outcome: Outcome;
  /** '' when the gate has no open task left to try. */
  readonly itemId: string;
  readonly role: string;
  readonly scope: string;
  readonly allowed: boolean;
  /** Why it was refused; null when it was allowed. */
  readonly reason: string | null;
  /** Id of the task that opened again. */
  readonly reopened: string | null;
  readonly status: GateStatus;
  readonly distinctApprovers: readonly string[];
  readonly outstanding: readonly string[];
}

/** The fold of a policy, step by step. */
export interface Simulation {
  readonly steps: readonly SimulatedStep[];
  /** The gate at the end. */
  readonly gate: GateReading;
}

const GATE_ID = 'simulation:agent';
/** The simulation has no clock: nothing in it expires. */
const NOW = '1970-01-01T00:00:00.000Z';

/**
 * What a gate would do: opens a round of the policy in memory and lets the engine decide, with the
 * same functions as a real run. Each step's person decides every task that is open to their roles
 * at that moment, in the order of the rules; somebody without such a task tries the first open one,
 * and is refused as they would be. People count as authenticated; nothing is written.
 */
export function simulate(
  policy: ApprovalPolicy,
  roles: RoleDirectory,
  author: Submitter,
  script: readonly ScriptStep[],
): Simulation {
  let state = opened(policy, roles, author);
  const steps: SimulatedStep[] = [];
  for (const step of script) {
    const ids = tasksFor(state, roles, step.identity);
    if (ids.length === 0)
      steps.push({
        ...step,
        itemId: '',
        role: '',
        scope: '',
        allowed: false,
        reason: 'no task is open',
        reopened: null,
        ...standing(state, roles),
      });
    for (const itemId of ids) {
      const item = state.items.find((candidate) => candidate.id === itemId);
      // An earlier decision of the same turn can have decided the gate.
      if (item === undefined || !isOpen(item)) continue;
      const { identity, outcome } = step;
      const change = resolveItem(state, {
        itemId,
        identity,
        outcome,
        assurance: 'authenticated',
        isUnauthenticated: false,
        comment: 'simulated',
        roles,
        newId: idSource(state),
        sign: null,
      });
      state = withRows(state, change);
      const { result } = change;
      steps.push({
        identity,
        outcome,
        itemId,
        role: item.role ?? '',
        scope: item.scope ?? '',
        allowed: result.kind === 'recorded',
        reason: result.kind === 'refused' ? result.reason : null,
        reopened: result.kind === 'recorded' ? result.reopened : null,
        ...standing(state, roles),
      });
    }
  }
  return { steps, gate: reading(state, roles) };
}

function opened(policy: ApprovalPolicy, roles: RoleDirectory, author: Submitter): ReviewState {
  const [jobId = '', agentId = ''] = GATE_ID.split(':');
  const state: ReviewState = {
    now: NOW,
    job: {
      id: jobId,
      status: 'deferred',
      topologyId: '',
      submittedBy: author,
      earlier: [],
      waitingOn: [GATE_ID],
      autoResume: false,
    },
    gates: [],
    items: [],
    decisions: [],
  };
  const round = openRound(state, {
    gateId: GATE_ID,
    agentId,
    activation: '',
    stepKey: '',
    funnelId: '',
    topologyId: '',
    artifactRef: '',
    sha256: '',
    mediaType: 'text/plain',
    policy: { ...policy, expiry: null },
    policyDigest: policyDigest(policy),
    evidence: {
      retries: 0,
      escalated: false,
      failedLayers: [],
      critique: null,
      judge: null,
      findings: [],
      diffSha256: null,
    },
    parts: {},
    roles,
  });
  if ('failed' in round) return state;
  return withRows(state, { gates: [round.opening.gate], items: round.opening.items, decisions: round.opening.carried });
}

/** Ids are used within the simulation alone: unique is enough. */
const idSource = (state: ReviewState): (() => string) => {
  let next = 0;
  return () => `${state.decisions.length}.${++next}`;
};

function tasksFor(state: ReviewState, roles: RoleDirectory, identity: string): readonly string[] {
  const person = personOf(roles, identity);
  const open = state.items.filter(isOpen);
  const own = open.filter((item) => {
    const role = roleCalled(roles, item.role ?? '');
    return role !== null && isMember(roles, role, person);
  });
  return (own.length === 0 ? open.slice(0, 1) : own).map((item) => item.id);
}

function reading(state: ReviewState, roles: RoleDirectory): GateReading {
  const gate = gateReading(state, GATE_ID, roles);
  if (gate === null) throw new Error('a simulation has one gate');
  return gate;
}

function standing(
  state: ReviewState,
  roles: RoleDirectory,
): Pick<SimulatedStep, 'status' | 'distinctApprovers' | 'outstanding'> {
  const { status, distinctApprovers, outstanding } = reading(state, roles);
  return { status, distinctApprovers, outstanding };
}
