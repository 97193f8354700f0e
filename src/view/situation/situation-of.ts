import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import { assertNever } from '../../lib/assert-never.js';
import { countText, oneLine } from '../lines/words.js';
import { served } from '../usage-view.js';
import { failedSituation } from './failed.js';
import { loginFact } from './login-fact.js';
import { outageSituation } from './outage.js';
import { followOf, logsOf, OPERATOR, resumeOf, type Situation, type SituationFacts, submitter } from './situation.js';
import { deferredSituation } from './waiting.js';

/**
 * Where a run stands, who can act, and what to type next: from the row, the reviews and the log
 * alone. Pure.
 */
export function situationOf(facts: SituationFacts): Situation {
  const { job, events } = facts;
  switch (job.status) {
    case 'pending':
    case 'queued':
      return claimable(job);
    case 'running':
      return running(job, events);
    case 'deferred':
      return job.needs.cassette === undefined ? deferredSituation(facts) : replayed(job, 'waits for a decision');
    case 'stopped':
      return job.needs.cassette === undefined ? stopped(job) : replayed(job, 'is stopped');
    case 'failed':
      return failedSituation(job, facts.successor, events);
    case 'completed':
      return completed(job, events);
    default:
      return assertNever(job.status);
  }
}

function claimable(job: Job): Situation {
  const base = { actors: [submitter(job), OPERATOR], command: resumeOf(job), fact: null };
  if (job.crashes > 0)
    return {
      ...base,
      code: 'claimable.crashed',
      cause: `its worker died (${job.crashes} of 3 times), and nobody has taken it since`,
    };
  if (job.attempt > 0) return { ...base, code: 'claimable.again', cause: 'it may go on, and nobody has taken it yet' };
  if (job.status === 'queued')
    return {
      ...base,
      code: 'claimable.queued',
      cause: 'it waits for a worker',
      command: ['kit', 'worker'],
      actors: [OPERATOR],
    };
  return { ...base, code: 'claimable.new', cause: 'nobody has taken it yet' };
}

function running(job: Job, events: readonly StoredEvent[]): Situation {
  const holder = { kind: 'process', names: job.workerId === null ? [] : [job.workerId] } as const;
  const base = { actors: [holder], command: followOf(job) };
  if (job.stopRequestedAt !== null) {
    const cause = `${job.stopRequestedBy ?? 'a person'} asked for a stop, and the run stops once its steps in flight have ended`;
    return { ...base, code: 'running.stopping', cause, fact: 'the end of the step that is under way' };
  }
  const outage = outageSituation(job, events);
  if (outage !== null) return outage;
  if (job.workerId === null && job.waitingOn.length > 0) {
    const [first = ''] = job.waitingOn;
    const cause = `it waits for ${job.waitingOn.length === 1 ? 'a run' : 'runs'} that it asked for: ${job.waitingOn.join(', ')}`;
    return {
      actors: [{ kind: 'process', names: [] }],
      command: ['kit', 'why', first],
      code: 'running.waits-for-runs',
      cause,
      fact: 'the end of them',
    };
  }
  if (job.workerId === null)
    return {
      ...base,
      code: 'running.asleep',
      cause: `it goes on at ${job.wakeAt ?? 'the next look'}`,
      fact: 'that instant',
    };
  const other = otherModels(events);
  const inPlaceText = other === null ? '' : `, and another model answers: ${other}`;
  const cause = `it is executed by ${job.workerId}${inPlaceText}`;
  return { ...base, code: 'running.working', cause, fact: 'the end of its work' };
}

/** Who answered in whose place, and how often; null = everybody who was asked for did so. */
function otherModels(events: readonly StoredEvent[]): string | null {
  const times = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'model.called' || event.payload.served_by === undefined) continue;
    const pair = served.inPlace(event.payload);
    times.set(pair, (times.get(pair) ?? 0) + 1);
  }
  if (times.size === 0) return null;
  const pairs = [...times]
    .slice(0, MOST_PAIRS)
    .map(([pair, count]) => `${oneLine(pair, 200)} (${countText(count, 'call')})`);
  return `${pairs.join(', ')}${times.size > MOST_PAIRS ? ', ...' : ''}`;
}

const MOST_PAIRS = 3;

function stopped(job: Job): Situation {
  const base = { actors: [submitter(job)], command: resumeOf(job), fact: null };
  switch (job.reason) {
    case 'stop_requested':
      return { ...base, code: 'stopped.person', cause: job.error ?? 'a person stopped it' };
    case 'process_died':
      return {
        ...base,
        code: 'stopped.process-died',
        cause: 'its process died, and only a person may revive a run that was started by hand',
      };
    case 'interrupted':
      return {
        ...base,
        code: 'stopped.interrupted',
        cause: 'it was cut off at once on request; what was in flight is repeated',
      };
    case 'journal_diverged':
      return {
        ...base,
        code: 'stopped.diverged',
        cause: `this version of kit does other steps than the one that recorded it: ${job.error ?? ''}`,
        actors: [OPERATOR],
        fact: 'the version of kit that recorded it',
      };
    default:
      return { ...base, code: 'stopped.other', cause: job.error ?? 'it is stopped', fact: loginFact(job) };
  }
}

/** What a cassette answers nobody goes on with: its answers end where the recorded run did. */
const replayed = (job: Job, how: string): Situation => ({
  code: 'stopped.replay',
  cause: `it is a replay and ${how}; nobody goes on with one in earnest`,
  actors: [submitter(job)],
  command: logsOf(job),
  fact: 'a run without --replay',
});

function completed(job: Job, events: readonly StoredEvent[]): Situation {
  const base = { actors: [{ kind: 'nobody', names: [] }] as const, command: ['kit', 'trace', job.id], fact: null };
  const isDenied = events.some((event) => event.type === 'policy.denied' || event.type === 'tool.refused');
  if (isDenied)
    return {
      ...base,
      code: 'completed.with-denials',
      cause: 'it is completed, and calls of it were denied or refused',
    };
  if (events.some((event) => event.type === 'skill.gap'))
    return {
      ...base,
      code: 'completed.with-gaps',
      cause: 'it is completed, and agents called tools that they do not hold',
      command: ['kit', 'gaps'],
    };
  if (events.some((event) => event.type === 'step.repeated'))
    return {
      ...base,
      code: 'completed.after-repeats',
      cause: 'it is completed, and steps of it were done twice after a crash',
    };
  const other = otherModels(events);
  if (other !== null)
    return { ...base, code: 'completed.by-fallback', cause: `it is completed, and another model answered: ${other}` };
  return { ...base, code: 'completed.done', cause: 'it is completed: it waits for nothing' };
}

/**
 * Events that say why a run stands where it stands; the last one of the log is among them whatever
 * it is.
 */
const BEARING: ReadonlySet<StoredEvent['type']> = new Set<StoredEvent['type']>([
  'run.started',
  'run.ended',
  'run.stopped',
  'run.parked',
  'run.resumed',
  'limit.breached',
  'funnel.gate_opened',
  'approval.gate_opened',
  'funnel.advisory_completed',
  'approval.role_task_resolved',
  'approval.gate_resolved',
  'approval.changes_requested',
  'approval.expired',
  'hitl.requested',
  'hitl.resolved',
  'output.validation_failed',
  'policy.denied',
  'tool.refused',
  'skill.gap',
  'step.repeated',
  'step.in_doubt',
  'executor.result',
]);

/** True for an event that a situation is read from. */
export const bearsOn = (event: StoredEvent): boolean =>
  BEARING.has(event.type) ||
  (event.type === 'model.called' && event.payload.served_by !== undefined) ||
  (event.type === 'executor.network' && event.payload.answer === 'refused') ||
  (event.type === 'agent.completed' && event.payload.status !== 'ok') ||
  (event.type === 'skill.executed' && event.payload.status === 'failed');
