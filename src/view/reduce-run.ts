import type { StoredEvent } from '../domain/events.js';
import { reportedEnd } from '../domain/reported-end.js';
import { assertNever } from '../lib/assert-never.js';
import { waitOf } from './outage-view.js';
import {
  agentCompleted,
  agentStarted,
  executorResult,
  executorStarted,
  modelCalled,
  outputValidated,
  toolCall,
  toolProgress,
} from './reduce-agents.js';
import { changesRequested, gateOpened, gateResolved, roleTaskResolved, withdrawGates } from './reduce-gates.js';
import { RunDraft } from './run-draft.js';
import type { RunView } from './run-view.js';
import { warningOf } from './warnings.js';

/**
 * The one reducer behind every view (docs/design/decisions.md#one-way): live tree, lines, trace,
 * HTTP. A plain left fold in the order of `seq`, so a view is the same however the stream was cut;
 * an event that comes again changes nothing. `view` itself stays as it was.
 */
export const reduceRun = (view: RunView, event: StoredEvent): RunView => foldRun(view, [event]);

/**
 * The same for many events at once. Its cost is linear in the events and the size of `view`: who
 * reads a log folds whole pages with it.
 */
export function foldRun(view: RunView, events: readonly StoredEvent[]): RunView {
  if (!events.some(({ seq }) => seq > view.lastSeq)) return view;
  const draft = new RunDraft(view);
  for (const event of events) addEvent(draft, event);
  return draft.view;
}

/** One event into a draft that its owner keeps: each look at `draft.view` is the run as it is. */
export function addEvent(draft: RunDraft, event: StoredEvent): void {
  if (event.seq <= draft.view.lastSeq) return;
  draft.reach(event);
  const warning = warningOf(event);
  if (warning !== null) draft.part('warnings').push(warning);
  // Whatever a step tells next, it waits no more.
  if (event.stepKey !== null) draft.drop('outages', event.stepKey);
  reduceType(draft, event);
}

function reduceType(draft: RunDraft, event: StoredEvent): void {
  switch (event.type) {
    case 'run.started':
    case 'run.stopped':
    case 'run.parked':
    case 'run.resumed':
    case 'run.ended':
    case 'run.attachments':
      reduceLifecycle(draft, event);
      return;
    case 'funnel.advisory_completed':
      draft.set({ ungated: [...new Set([...draft.view.ungated, event.payload.gate_id])] });
      return;
    case 'funnel.gate_opened':
      gateOpened(draft, event);
      return;
    case 'approval.role_task_resolved':
      roleTaskResolved(draft, event);
      return;
    case 'approval.gate_resolved':
      gateResolved(draft, event);
      return;
    case 'approval.changes_requested':
      changesRequested(draft, event);
      return;
    case 'agent.started':
      agentStarted(draft, event);
      return;
    case 'agent.completed':
      agentCompleted(draft, event);
      return;
    case 'model.called':
      modelCalled(draft, event);
      return;
    case 'skill.executed':
    case 'skill.gap':
    case 'tool.refused':
    case 'executor.tool_call':
      toolCall(draft, event);
      return;
    case 'tool.progress':
      toolProgress(draft, event);
      return;
    case 'executor.started':
      executorStarted(draft, event);
      return;
    case 'executor.result':
      executorResult(draft, event);
      return;
    case 'output.validated':
      outputValidated(draft, event);
      return;
    case 'policy.denied':
      // A call that is denied has an event of its own.
      if (event.payload.action === 'agent:execute') draft.set({ agentsDenied: draft.view.agentsDenied + 1 });
      return;
    case 'step.waiting': {
      draft.put('outages', event.payload.key, { agentId: event.agentId, ...waitOf(event.payload) });
      return;
    }
    case 'input.validated':
    case 'input.rejected':
    case 'executor.message':
    case 'executor.permission':
    case 'executor.network':
    case 'a2a.remote_usage':
    case 'memory.recalled':
    case 'memory.written':
    case 'trust.denied':
    case 'trust.degraded':
    case 'trust.counted':
    case 'trust.changeset_proposed':
    case 'trust.applied':
    case 'trust.cleared':
    case 'intent.drift':
    case 'limit.breached':
    case 'output.validation_failed':
    case 'step.repeated':
    case 'step.admitted':
    case 'step.in_doubt':
    case 'approval.gate_opened':
    case 'approval.reminder':
    case 'approval.expired':
    case 'funnel.layer_evaluated':
    case 'decision.evaluated':
    case 'rework':
    case 'hitl.requested':
    case 'hitl.resolved':
    case 'trigger.fired':
    case 'pipeline.ingress':
      return;
    default:
      assertNever(event);
  }
}

type LifecycleEvent = Extract<
  StoredEvent,
  { type: 'run.started' | 'run.stopped' | 'run.parked' | 'run.resumed' | 'run.ended' | 'run.attachments' }
>;

function reduceLifecycle(draft: RunDraft, event: LifecycleEvent): void {
  switch (event.type) {
    case 'run.started':
      draft.set({
        topology: event.payload.topology,
        version: event.payload.version,
        submittedBy: event.payload.submitted_by,
        startedAt: event.timestamp,
      });
      return;
    case 'run.stopped':
      draft.set({ stopRequestedBy: event.payload.requested_by });
      return;
    case 'run.parked':
      if (event.payload.status === undefined)
        draft.set({ status: 'deferred', error: event.payload.error, waitingOn: event.payload.waiting_on });
      else endRun(draft, event);
      return;
    case 'run.resumed':
      draft.set({
        waitingOn: [],
        status: 'pending',
        reason: null,
        error: null,
        resumedAt: event.timestamp,
        endedAt: null,
        stopRequestedBy: null,
        resumes: draft.view.resumes + 1,
      });
      return;
    case 'run.ended':
      endRun(draft, event);
      return;
    case 'run.attachments': {
      const { name, media_type: mediaType, size_bytes: sizeBytes } = event.payload;
      draft.part('attachments').push({ name, mediaType, sizeBytes });
      return;
    }
    default:
      assertNever(event);
  }
}

function endRun(draft: RunDraft, event: LifecycleEvent): void {
  const end = reportedEnd(event);
  if (end === null) return;
  draft.set({ status: end.status, reason: end.reason, error: end.error, endedAt: event.timestamp, waitingOn: [] });
  draft.forget('outages');
  withdrawGates(draft, end.status);
}
