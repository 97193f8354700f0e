// A recorded decision: its row, its events, and whether it wakes the run.
import type { RunEvent } from '../../../src/domain/events.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import type { Attempt, Verdict } from '../oracle/attempt.js';
import { lastRound } from '../oracle/world.js';
import type { Pair } from './case.js';
import type { Resolution } from './engine.js';
import { gateIdOf, itemIdOf } from './names.js';

type Recorded = Extract<Verdict, { kind: 'recorded' }>;

const count = (events: readonly RunEvent[], type: RunEvent['type']): number =>
  events.filter((event) => event.type === type).length;

function tracesProblem(
  events: readonly RunEvent[],
  status: string,
  item: string,
  reopened: string | null,
): string | null {
  const tries = events.filter((event) => event.type === 'approval.role_task_resolved');
  const [only] = tries;
  if (tries.length !== 1 || only === undefined)
    return `an attempt left ${tries.length} events approval.role_task_resolved`;
  if (!only.payload.allowed || only.payload.item_id !== item) return 'the event of the attempt speaks of another one';
  if (only.payload.reopened !== reopened)
    return `the event of the attempt reopens ${only.payload.reopened}, not ${reopened}`;
  const settled = events.filter(
    (event) => event.type === 'hitl.resolved' && event.payload.review_queue_id === item,
  ).length;
  if (settled !== 1) return `the item was settled by ${settled} events hitl.resolved`;
  const decided = status === 'approved' || status === 'rejected';
  if (status !== 'changes-requested' && count(events, 'approval.gate_resolved') !== (decided ? 1 : 0))
    return `${count(events, 'approval.gate_resolved')} events approval.gate_resolved of a gate that is ${status}`;
  const changes = count(events, 'approval.changes_requested');
  return changes === (status === 'changes-requested' ? 1 : 0)
    ? null
    : `${changes} events approval.changes_requested of a gate that is ${status}`;
}

export function recordedProblem(
  before: Pair,
  { world, reopened }: Recorded,
  change: ReviewChange<Resolution>,
  tried: Attempt,
): string | null {
  const { target } = tried;
  const { result, events, wake } = change;
  if (target === null || target === 'other' || result.kind === 'refused') return 'a decision without a task';
  const gate = world.gates[target.gate];
  const old = before.world.gates[target.gate];
  if (gate === undefined || old === undefined) return 'a decision without a gate';
  const round = lastRound(gate);
  const task = round.tasks[target.task];
  const again = round.tasks[reopened];
  const id = task === undefined ? '' : itemIdOf(target.gate, task.rule, task.role, target.round);
  const reopenedId = again === undefined ? null : itemIdOf(target.gate, again.rule, again.role, target.round);
  const { decision } = result;
  if (decision === null) return 'a recorded decision has no row';
  if (decision.sha256 !== round.draft.sha256 || decision.round !== target.round)
    return 'the decision names other bytes or another round';
  if (decision.assurance !== tried.assurance || decision.registryDigest !== before.roles.digest)
    return 'the decision names other evidence';
  if (result.reopened !== reopenedId) return `the engine reopens ${result.reopened}, not ${reopenedId}`;
  const decided = round.status !== 'pending';
  if ((wake !== null) !== (decided && before.state.job.status === 'deferred'))
    return `a gate that is ${round.status} ${wake === null ? 'wakes nobody' : 'wakes the run'}`;
  const about = result.gate.gateId === gateIdOf(target.gate) ? result.gate.status : null;
  if (about !== round.status) return `the answer says that the gate is ${about}, not ${round.status}`;
  return tracesProblem(events, round.status, id, reopenedId);
}
