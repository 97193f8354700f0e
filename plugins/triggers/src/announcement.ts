import type { TriggerPlan } from '@kit-run/kit/command';

/** What a firing starts, where, and what it leaves out. */
export function announcement({ trigger, firedBy, topologies, events }: TriggerPlan): readonly string[] {
  if (firedBy === 'server')
    return [`trigger ${trigger.id} starts at the server, all at once: ${[...topologies, ...events].join(', ')}`];
  const runs =
    topologies.length === 1
      ? `one run of ${topologies[0]}`
      : `${topologies.length} runs here, one after the other: ${topologies.join(', ')}`;
  const left = events.length === 0 ? [] : [`left out, because only a server has a listener: ${events.join(', ')}`];
  return [`trigger ${trigger.id} starts ${runs}`, ...left];
}
