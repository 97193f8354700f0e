import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import { limitText, remoteText, whoIsDown } from '../lines/failure-text.js';
import { type OutageView, waitOf } from '../outage-view.js';
import { followOf, type Situation } from './situation.js';

/** A run that waits for another side, with a process or without one; null = it does not. */
export function outageSituation(job: Job, events: readonly StoredEvent[]): Situation | null {
  const waiting = waitingSteps(events);
  const first = waiting[0];
  if (first === undefined) return null;
  const { reason, tries, until, remote } = first;
  const also = waiting.length === 1 ? '' : `, and ${waiting.length - 1} more`;
  if (remote !== undefined) return remoteSituation(job, remote, also);
  const limit = limitText(first);
  if (limit !== null)
    return {
      actors: [{ kind: 'process', names: job.workerId === null ? [] : [job.workerId] }],
      command: followOf(job),
      code: 'running.limited',
      cause: `a call of a model ${limit}${also}`,
      fact: 'an answer of another call, or a higher limit of the provider',
    };
  return {
    actors: [{ kind: 'process', names: job.workerId === null ? [] : [job.workerId] }],
    command: followOf(job),
    code: 'running.outage',
    cause: `${whoIsDown(first)} is down (${reason}, try ${tries}${also}): it is asked again at ${job.wakeAt ?? until ?? 'the next look'}`,
    fact: 'its answer, or the end of the patience of the run',
  };
}

/** An agent that runs elsewhere has what the run goes on with; nobody here can do anything. */
function remoteSituation(job: Job, remote: NonNullable<OutageView['remote']>, also: string): Situation {
  const isGated = remote.gateUrl !== null;
  return {
    code: isGated ? 'running.remote-gate' : 'running.remote',
    cause: `it ${remoteText(remote)}${also}`,
    actors: isGated ? [{ kind: 'person', names: [] }] : [{ kind: 'process', names: [] }],
    command: followOf(job),
    fact: isGated ? 'their decision, which the run takes up by itself' : 'its answer, or the end of its time',
  };
}

/** What calls of a run that is not over wait for at agents elsewhere, in words: one a call. */
export const remoteReasons = ({ status }: Pick<Job, 'status'>, events: readonly StoredEvent[]): readonly string[] =>
  status !== 'running' && status !== 'deferred'
    ? []
    : waitingSteps(events).flatMap(({ remote }) => (remote === undefined ? [] : [`the run ${remoteText(remote)}`]));

/**
 * Where people of another system decide what a run waits for, at the agent that it asked first;
 * null = nobody elsewhere is asked. `events`: what bears on the run, in order.
 */
export const gateElsewhere = (events: readonly StoredEvent[]): string | null =>
  waitingSteps(events).find(({ remote }) => (remote?.gateUrl ?? null) !== null)?.remote?.gateUrl ?? null;

/** What each step that still waits said last. */
function waitingSteps(events: readonly StoredEvent[]) {
  const open = new Map<string, ReturnType<typeof waitOf>>();
  for (const event of events) {
    if (event.stepKey === null) continue;
    if (event.type === 'step.waiting') open.set(event.stepKey, waitOf(event.payload));
    else open.delete(event.stepKey);
  }
  return [...open.values()];
}
