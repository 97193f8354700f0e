import type { StoredEvent } from '../domain/events.js';
import { hostText } from './lines/executor-text.js';
import type { RunView, RunWarning } from './run-view.js';

/** The warning that an event is, or null. `run.ended` is not a warning: it is the result. */
export function warningOf(event: StoredEvent): RunWarning | null {
  const warn = (kind: RunWarning['kind'], text: string): RunWarning => ({
    seq: event.seq,
    kind,
    agentId: event.agentId,
    text,
  });
  switch (event.type) {
    case 'step.repeated': {
      const { kind, key, attempt, lost, effects } = event.payload;
      return warn(
        'step.repeated',
        `the ${kind} step ${key} (effects ${effects}) was started again, attempt ${attempt}${lost === null ? '' : `; lost: ${lost}`}`,
      );
    }
    case 'step.in_doubt':
      return warn(
        'step.in_doubt',
        `whether the ${event.payload.kind} step ${event.payload.key} took effect is not known; it was not repeated`,
      );
    case 'funnel.advisory_completed':
      return warn(
        'funnel.advisory_completed',
        `nobody reviewed the gate ${event.payload.gate_id}: ${event.payload.why}`,
      );
    case 'skill.gap':
      return warn('skill.gap', `called the tool ${event.payload.tool}, which it does not hold`);
    case 'policy.denied':
      return warn('policy.denied', `${event.payload.action} was denied: ${event.payload.reason}`);
    case 'trust.denied':
      return warn('trust.denied', 'was not let run: it is not trusted');
    case 'trust.degraded':
      return warn('trust.degraded', `runs ${event.payload.tier}: its trust score is ${event.payload.score}`);
    case 'intent.drift': {
      const { action, drift_score: score, threshold } = event.payload;
      return action === 'warn'
        ? warn('intent.drift', `its answer is ${score} away from what it was asked, more than ${threshold}`)
        : null;
    }
    case 'tool.refused':
      return warn('tool.refused', `a call of ${event.payload.tool} was refused: ${event.payload.reason}`);
    case 'limit.breached': {
      const { limit, limit_value: value, actual } = event.payload;
      return warn(
        'limit.breached',
        `${limit} is ${value}, and ${actual === null ? 'what was spent is not known' : `this would be ${actual}`}`,
      );
    }
    case 'output.validation_failed':
      return warn(
        'output.validation_failed',
        `its answer does not fit the schema after ${event.payload.attempts} attempts`,
      );
    case 'executor.started':
      return event.payload.lost === null
        ? null
        : warn('executor.lost', `the harness started anew: ${event.payload.lost}`);
    case 'executor.network':
      return event.payload.answer === 'allowed'
        ? null
        : warn('executor.network', `${hostText(event.payload)} was refused to its container: ${event.payload.reason}`);
    default:
      return null;
  }
}

/** A gate that was passed without a person, because nobody could be asked. */
export const isUngated = ({ kind }: Pick<RunWarning, 'kind'>): boolean => kind === 'funnel.advisory_completed';

/**
 * How much of a run somebody should look at: failed calls, denied calls and agents, activations
 * that did not end well, and gates that nobody was asked about. Retries are not an issue.
 */
export function issuesOf(view: RunView): number {
  const agents = Object.values(view.agents).filter(({ status }) => status === 'failed' || status === 'denied').length;
  return view.calls.failed + view.calls.denied + view.agentsDenied + agents + view.warnings.filter(isUngated).length;
}
