import type { StoredEvent } from '../../domain/events.js';
import { assertNever } from '../../lib/assert-never.js';
import { because, type EventText, name, say, whisper } from './say.js';
import { countText, oneLine } from './words.js';

type GateEvent = Extract<
  StoredEvent,
  {
    type:
      | 'funnel.layer_evaluated'
      | 'funnel.gate_opened'
      | 'funnel.advisory_completed'
      | 'decision.evaluated'
      | 'approval.gate_opened'
      | 'approval.role_task_resolved'
      | 'approval.gate_resolved'
      | 'approval.changes_requested'
      | 'approval.reminder'
      | 'approval.expired'
      | 'rework'
      | 'hitl.requested'
      | 'hitl.resolved';
  }
>;

const roundText = (round: number): string => (round === 0 ? '' : `, round ${round}`);
const commentText = (comment: string): string => (comment === '' ? '' : `: ${oneLine(comment)}`);

/** What happened at a gate, in words; ids in full, because people paste them. */
export function gateText(event: GateEvent): EventText {
  switch (event.type) {
    case 'funnel.layer_evaluated': {
      const { layer, passed, critique, confidence } = event.payload;
      const score = confidence === null ? '' : ` (${confidence.toFixed(2)})`;
      return say(
        passed ? 'plain' : 'warn',
        `${layer} layer ${passed ? 'passed' : 'sent it back'}${score}${passed ? '' : because(critique)}`,
      );
    }
    case 'funnel.gate_opened': {
      const { gate_id: gate, artifact_ref: ref, escalated, round } = event.payload;
      return say(
        'warn',
        `gate ${name(gate)} is open for ${oneLine(ref, 120)}${roundText(round)}${escalated ? ', escalated: its checks did not pass' : ''}`,
      );
    }
    case 'funnel.advisory_completed':
      return say('warn', `nobody reviewed this: ${oneLine(event.payload.why)}`);
    case 'decision.evaluated': {
      const { skill, verdict, confidence, passed, reasoning, required, shortened } = event.payload;
      const sure = confidence === null ? 'unsure' : confidence.toFixed(2);
      const weight = `${sure}${required === false ? ', advisory' : ''}${shortened === true ? ', of a part: the whole was too long' : ''}`;
      return say(
        passed || required === false ? 'plain' : 'warn',
        `${name(skill)} says ${name(verdict)} (${weight})${passed ? '' : because(reasoning)}`,
      );
    }
    case 'approval.gate_opened':
      return whisper(
        `${countText(event.payload.role_tasks.length, 'role task')} at gate ${name(event.payload.gate_id)}${roundText(event.payload.round)}`,
      );
    case 'approval.role_task_resolved': {
      const { identity, role, outcome, allowed, reason, comment } = event.payload;
      if (!allowed) return say('warn', `${name(identity)} may not decide${because(reason)}`);
      return say(
        outcome === 'approve' ? 'good' : 'warn',
        `${name(identity)}${role === null ? '' : ` for ${name(role)}`}: ${name(outcome)}${commentText(comment)}`,
      );
    }
    case 'approval.gate_resolved': {
      const { gate_id: gate, status, by, comment } = event.payload;
      return say(
        status === 'approved' ? 'good' : 'warn',
        `gate ${name(gate)} ${status}${by === '' ? '' : ` by ${name(by)}`}${commentText(comment)}`,
      );
    }
    case 'approval.changes_requested':
      return say('warn', `${name(event.payload.by)} asks for changes${commentText(event.payload.comment)}`);
    case 'approval.reminder':
      return say('warn', `gate ${name(event.payload.gate_id)} expires at ${event.payload.expires_at}`);
    case 'approval.expired': {
      const { gate_id: gate, action, escalated_to: roles } = event.payload;
      return say(
        'bad',
        `gate ${name(gate)} was not decided in time: ${action === 'reject' ? 'rejected' : `it goes to ${roles.map(name).join(', ')}`}`,
      );
    }
    case 'rework':
      return say('plain', `works again on what the reviewers asked for, draft ${event.payload.draft + 1}`);
    case 'hitl.requested':
      return event.payload.kind === 'role_task'
        ? whisper(`task ${name(event.payload.review_queue_id)}: ${oneLine(event.payload.summary)}`)
        : say(
            'warn',
            `waits for a person: ${oneLine(event.payload.summary)} (${oneLine(event.payload.review_queue_id, 120)})`,
          );
    case 'hitl.resolved': {
      const { review_queue_id: id, kind, by_user: by, decision, comment, answer } = event.payload;
      // Nobody decided it: its gate was decided without it, or its run is over.
      const settled = by === '' ? name(decision) : `settled by ${name(by)}: ${name(decision)}`;
      const chosen = answer === undefined ? '' : ` ${JSON.stringify(oneLine(answer))}`;
      return kind === 'role_task'
        ? whisper(`task ${oneLine(id, 400)} ${settled}`)
        : say(
            'plain',
            `${by === '' ? `${oneLine(id, 400)} ${settled}` : `${name(by)}: ${name(decision)}${chosen}`}${commentText(comment)}`,
          );
    }
    default:
      return assertNever(event);
  }
}
