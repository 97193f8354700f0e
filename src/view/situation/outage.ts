import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import { limitText, whoIsDown } from '../lines/failure-text.js';
import { followOf, type Situation } from './situation.js';

/** A run that waits for another side, with a process or without one; null = it does not. */
export function outageSituation(job: Job, events: readonly StoredEvent[]): Situation | null {
  const waiting = waitingSteps(events);
  const first = waiting[0];
  if (first === undefined) return null;
  const { reason, tries, until } = first;
  const also = waiting.length === 1 ? '' : `, and ${waiting.length - 1} more`;
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
    cause: `${whoIsDown(reason)} is down (${reason}, try ${tries}${also}): it is asked again at ${job.wakeAt ?? until ?? 'the next look'}`,
    fact: 'its answer, or the end of the patience of the run',
  };
}

/** What each step that still waits said last. */
function waitingSteps(events: readonly StoredEvent[]) {
  const open = new Map<string, Extract<StoredEvent, { type: 'step.waiting' }>['payload']>();
  for (const event of events) {
    if (event.stepKey === null) continue;
    if (event.type === 'step.waiting') open.set(event.stepKey, event.payload);
    else open.delete(event.stepKey);
  }
  return [...open.values()];
}
