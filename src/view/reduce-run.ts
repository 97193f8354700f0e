import type { StoredEvent } from '../domain/events.js';
import { assertNever } from '../lib/assert-never.js';
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
import { changesRequested, gateOpened, gateResolved, gatesAfter, roleTaskResolved } from './reduce-gates.js';
import type { RunView } from './run-view.js';
import { warningOf } from './warnings.js';

/**
 * The one reducer behind every view (DESIGN section 3): live tree, lines, trace, HTTP. A plain left fold in the order of
 * `seq`, so a view is the same however the stream was cut; an event that comes again changes nothing.
 */
export function reduceRun(view: RunView, event: StoredEvent): RunView {
  if (event.seq <= view.lastSeq) return view;
  const seen: RunView = { ...view, jobId: event.jobId, lastSeq: event.seq, lastAt: event.timestamp };
  const warning = warningOf(event);
  return reduceType(warning === null ? seen : { ...seen, warnings: [...seen.warnings, warning] }, event);
}

function reduceType(view: RunView, event: StoredEvent): RunView {
  switch (event.type) {
    case 'run.started':
    case 'run.stopped':
    case 'run.parked':
    case 'run.resumed':
    case 'run.ended':
    case 'run.attachments':
      return reduceLifecycle(view, event);
    case 'funnel.gate_opened':
      return gateOpened(view, event);
    case 'approval.role_task_resolved':
      return roleTaskResolved(view, event);
    case 'approval.gate_resolved':
      return gateResolved(view, event);
    case 'approval.changes_requested':
      return changesRequested(view, event);
    case 'agent.started':
      return agentStarted(view, event);
    case 'agent.completed':
      return agentCompleted(view, event);
    case 'model.called':
      return modelCalled(view, event);
    case 'skill.executed':
    case 'skill.gap':
    case 'tool.refused':
    case 'executor.tool_call':
      return toolCall(view, event);
    case 'tool.progress':
      return toolProgress(view, event);
    case 'executor.started':
      return executorStarted(view, event);
    case 'executor.result':
      return executorResult(view, event);
    case 'output.validated':
      return outputValidated(view, event);
    case 'policy.denied':
      // A call that is denied has an event of its own.
      return event.payload.action === 'agent:execute' ? { ...view, agentsDenied: view.agentsDenied + 1 } : view;
    case 'input.validated':
    case 'input.rejected':
    case 'executor.message':
    case 'memory.recalled':
    case 'memory.written':
    case 'trust.denied':
    case 'trust.degraded':
    case 'intent.drift':
    case 'limit.breached':
    case 'output.validation_failed':
    case 'step.repeated':
    case 'step.in_doubt':
    case 'approval.gate_opened':
    case 'approval.reminder':
    case 'approval.expired':
    case 'funnel.layer_evaluated':
    case 'funnel.advisory_completed':
    case 'decision.evaluated':
    case 'rework':
    case 'hitl.requested':
    case 'hitl.resolved':
    case 'trigger.fired':
    case 'pipeline.ingress':
      return view;
    default:
      return assertNever(event);
  }
}

type LifecycleEvent = Extract<StoredEvent, { type: 'run.started' | 'run.stopped' | 'run.parked' | 'run.resumed' | 'run.ended' | 'run.attachments' }>;

function reduceLifecycle(view: RunView, event: LifecycleEvent): RunView {
  switch (event.type) {
    case 'run.started':
      return {
        ...view,
        topology: event.payload.topology,
        version: event.payload.version,
        submittedBy: event.payload.submitted_by,
        startedAt: event.timestamp,
      };
    case 'run.stopped':
      return { ...view, stopRequestedBy: event.payload.requested_by };
    case 'run.parked':
      return { ...view, status: 'deferred', error: event.payload.error, waitingOn: event.payload.waiting_on };
    case 'run.resumed':
      return {
        ...view,
        waitingOn: [],
        status: 'pending',
        reason: null,
        error: null,
        resumedAt: event.timestamp,
        endedAt: null,
        stopRequestedBy: null,
        resumes: view.resumes + 1,
      };
    case 'run.ended':
      return {
        ...view,
        status: event.payload.status,
        reason: event.payload.reason,
        error: event.payload.error,
        endedAt: event.timestamp,
        waitingOn: [],
        gates: gatesAfter(view.gates, event.payload.status),
      };
    case 'run.attachments': {
      const { name, media_type: mediaType, size_bytes: sizeBytes } = event.payload;
      return { ...view, attachments: [...view.attachments, { name, mediaType, sizeBytes }] };
    }
    default:
      return assertNever(event);
  }
}
