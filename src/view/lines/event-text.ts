import type { StoredEvent } from '../../domain/events.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { assertNever } from '../../lib/assert-never.js';
import { executorText } from './executor-text.js';
import { endText, failureText, waitText } from './failure-text.js';
import { gateText } from './gate-event-text.js';
import { because, type EventText, name, say, whisper } from './say.js';
import { triggerText } from './trigger-text.js';
import { trustText } from './trust-text.js';
import { bytesText, costText, countText, durationText, oneLine, servedText, tokensText, usageNotes } from './words.js';

export function eventText(event: StoredEvent): EventText {
  switch (event.type) {
    case 'run.started':
    case 'run.ended':
    case 'run.stopped':
    case 'run.parked':
    case 'run.resumed':
    case 'run.attachments':
    case 'input.validated':
    case 'input.rejected':
    case 'limit.breached':
    case 'pipeline.ingress':
      return runText(event);
    case 'funnel.layer_evaluated':
    case 'funnel.gate_opened':
    case 'funnel.advisory_completed':
    case 'decision.evaluated':
    case 'approval.gate_opened':
    case 'approval.role_task_resolved':
    case 'approval.gate_resolved':
    case 'approval.changes_requested':
    case 'approval.reminder':
    case 'approval.expired':
    case 'rework':
    case 'hitl.requested':
    case 'hitl.resolved':
      return gateText(event);
    case 'agent.started':
    case 'agent.completed':
    case 'model.called':
    case 'output.validated':
    case 'output.validation_failed':
    case 'policy.denied':
      return agentText(event);
    case 'trust.denied':
    case 'trust.degraded':
    case 'trust.counted':
    case 'trust.changeset_proposed':
    case 'trust.applied':
    case 'trust.cleared':
    case 'intent.drift':
      return trustText(event);
    case 'skill.executed':
    case 'skill.gap':
    case 'tool.refused':
    case 'tool.progress':
    case 'step.repeated':
    case 'step.in_doubt':
    case 'memory.recalled':
    case 'memory.written':
      return callText(event);
    case 'step.waiting':
    case 'step.admitted':
      return waitText(event);
    case 'executor.started':
    case 'executor.message':
    case 'executor.tool_call':
    case 'executor.permission':
    case 'executor.network':
    case 'a2a.remote_usage':
    case 'executor.result':
      return executorText(event);
    case 'trigger.fired':
      return triggerText(event);
    default:
      return assertNever(event);
  }
}

type Of<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;
type RunEvents = Of<
  | 'run.started'
  | 'run.ended'
  | 'run.stopped'
  | 'run.parked'
  | 'run.resumed'
  | 'run.attachments'
  | 'input.validated'
  | 'input.rejected'
  | 'limit.breached'
  | 'pipeline.ingress'
>;

function runText(event: RunEvents): EventText {
  switch (event.type) {
    case 'run.started': {
      const { topology, version, submitted_by: by } = event.payload;
      return say(
        'strong',
        `run ${event.jobId} of ${name(topology)}${version === null ? '' : ` ${name(version)}`} submitted by ${name(by)}`,
      );
    }
    case 'run.ended':
      return endText(event.payload);
    case 'run.stopped':
      return say('warn', `stop requested by ${name(event.payload.requested_by)}`);
    case 'run.parked': {
      const end = reportedEnd(event);
      return end === null ? say('warn', `run waits for people: ${oneLine(event.payload.error, 400)}`) : endText(end);
    }
    case 'run.resumed':
      return say(
        'strong',
        `run resumed by ${name(event.payload.requested_by)}, it was ${event.payload.from_status}${
          event.payload.anew === true ? '; its sessions begin anew' : ''
        }`,
      );
    case 'run.attachments':
      return say(
        'plain',
        `attachment ${name(event.payload.name)}, ${event.payload.media_type}, ${bytesText(event.payload.size_bytes)}`,
      );
    case 'input.validated':
      return whisper('input fits its schema');
    case 'input.rejected':
      return say(
        'bad',
        `input refused: ${oneLine(event.payload.errors.map((error) => `${error.pointer} ${error.message}`.trim()).join('; '), 400)}`,
      );
    case 'limit.breached': {
      const { limit, limit_value: value, actual } = event.payload;
      return say(
        'bad',
        `limit ${limit} is ${value}, ${actual === null ? 'and what was spent is not known' : `this would be ${actual}`}`,
      );
    }
    case 'pipeline.ingress': {
      const { event: what, correlation_id: id, source, outcome, reason } = event.payload;
      return say(
        outcome === 'delivered' ? 'plain' : 'bad',
        `event ${name(what)} for ${name(id)} from ${name(source)}: ${outcome.replace('_', ' ')}${because(reason)}`,
      );
    }
    default:
      return assertNever(event);
  }
}

function agentText(
  event: Of<
    | 'agent.started'
    | 'agent.completed'
    | 'model.called'
    | 'output.validated'
    | 'output.validation_failed'
    | 'policy.denied'
  >,
): EventText {
  switch (event.type) {
    case 'agent.started':
      return say('plain', event.payload.executor === 'model' ? 'started' : `started (${name(event.payload.executor)})`);
    case 'agent.completed': {
      const { status, reason, duration_ms: ms } = event.payload;
      return say(
        status === 'ok' ? 'good' : 'bad',
        `${status === 'ok' ? 'done' : status}${because(reason)} in ${durationText(ms)}`,
      );
    }
    case 'model.called': {
      const called = event.payload;
      const use = `${tokensText({ inputTokens: called.input_tokens, outputTokens: called.output_tokens })}, ${costText(called.cost_usd)}${usageNotes({ ...called, savedUsd: called.saved_usd })}, ${durationText(called.duration_ms)}`;
      const retries = called.retries === 0 ? '' : `, ${called.retries} ${called.retries === 1 ? 'retry' : 'retries'}`;
      const what = ASKED[called.purpose];
      if (called.status === 'failed')
        return say('bad', `${name(called.model)} failed${because(called.reason)}${retries}`);
      const cut = called.finish === 'length' ? ', cut off at the output limit' : '';
      if (called.provider === 'rules') return filledByRules(called.tool_calls);
      return say(
        'plain',
        `${what} ${servedText(called)} (${use}${retries})${cut}${called.tool_calls === 0 ? '' : `, ${countText(called.tool_calls, 'call')}`}`,
      );
    }
    case 'output.validated':
      return event.payload.valid
        ? whisper('answer fits its schema')
        : say('warn', `answer does not fit its schema, attempt ${event.payload.attempt + 1}`);
    case 'output.validation_failed':
      return say(
        'bad',
        `answer does not fit its schema after ${countText(event.payload.attempts, 'attempt')}: ${oneLine(event.payload.errors.join('; '))}`,
      );
    case 'policy.denied':
      return say('bad', `denied ${name(event.payload.action)}${because(event.payload.reason)}`);
    default:
      return assertNever(event);
  }
}

const ASKED: Readonly<Record<Of<'model.called'>['payload']['purpose'], string>> = {
  summary: 'summarised earlier messages with',
  turn: 'asked',
  skill: 'asked',
  correction: 'corrected its answer with',
  continuation: 'continued its cut answer with',
  embedding: 'compared memories with',
};

/** The screen says that no language model answered: `rules` copies and counts what it was given. */
const filledByRules = (calls: number): EventText =>
  say('plain', `${calls === 0 ? 'filled' : `${countText(calls, 'call')} made`} by rules (no language model)`);

const compressedText = (one: Of<'skill.executed'>['payload']['compression']): string =>
  one === undefined || one.left !== null
    ? ''
    : `, ${bytesText(one.bytes_in)} compressed to ${bytesText(one.bytes_out)} by ${one.backend}`;

type CallEvents = Of<
  | 'skill.executed'
  | 'skill.gap'
  | 'tool.refused'
  | 'tool.progress'
  | 'step.repeated'
  | 'step.in_doubt'
  | 'memory.recalled'
  | 'memory.written'
>;

function callText(event: CallEvents): EventText {
  switch (event.type) {
    case 'skill.executed': {
      const { tool, status, reason, outputs, duration_ms: ms, compression } = event.payload;
      if (status === 'ok') return whisper(`${name(tool)} in ${durationText(ms)}${compressedText(compression)}`);
      // What denied it has a line of its own (`policy.denied`).
      if (status === 'denied') return say('warn', `${name(tool)} denied${reason === 'denied' ? '' : because(reason)}`);
      return say('bad', `${name(tool)} ${status}${failureText(reason, outputs)}`);
    }
    case 'skill.gap':
      return say('warn', `called ${name(event.payload.tool)}, which it does not hold`);
    case 'tool.refused':
      return say('warn', `${name(event.payload.tool)} refused${because(event.payload.reason)}`);
    case 'tool.progress': {
      const { tool, done, total, message } = event.payload;
      return whisper(
        `${name(tool)} at ${done}${total === null ? '' : ` of ${total}`}${message === null ? '' : `: ${oneLine(message)}`}`,
      );
    }
    case 'step.repeated': {
      const { kind, attempt, lost } = event.payload;
      return say(
        'warn',
        `a ${name(kind)} step was started again, attempt ${attempt}${lost === null ? '' : `; lost: ${oneLine(lost)}`}`,
      );
    }
    case 'memory.recalled':
      return whisper(`remembered ${oneLine(event.payload.keys.join(', '), 200)}`);
    case 'memory.written': {
      const { op, key } = event.payload;
      return op === 'contradict'
        ? say('warn', `set aside for a person: ${oneLine(key)} contradicts what is known`)
        : whisper(`memory ${op}: ${oneLine(key)}`);
    }
    case 'step.in_doubt':
      return say('warn', `a ${name(event.payload.kind)} step was under way when the process died; it was not repeated`);
    default:
      return assertNever(event);
  }
}
