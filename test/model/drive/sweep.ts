// The clock acts on both sides: what is due is done once, and nothing else.
import type { RunEvent } from '../../../src/domain/events.js';
import { type Swept, sweep } from '../oracle/clock.js';
import type { Pair } from './case.js';
import { historyProblem, stateProblem } from './compare.js';
import { expireDue } from './engine.js';
import { applied } from './memory-reviews.js';
import { gateIdOf } from './names.js';

const names = (gates: readonly number[]): string => gates.map(gateIdOf).join();
const countOf = (events: readonly RunEvent[], type: RunEvent['type']): number =>
  events.filter((event) => event.type === type).length;

/** Null: nothing was due on either side. A text: they differ. */
export function swept(pair: Pair, newId: () => string): Pick<Pair, 'world' | 'state'> | string | null {
  const ought: Swept = sweep(pair.world);
  const request = { newId, roles: pair.roles };
  const change = expireDue(pair.state, request);
  const { reminded, escalated, rejected } = change.result;
  const [is, should] = [
    `reminded ${reminded.join()}, escalated ${escalated.join()}, rejected ${rejected.join()}`,
    `reminded ${names(ought.reminded)}, escalated ${names(ought.escalated)}, rejected ${names(ought.rejected)}`,
  ];
  if (is !== should) return `the clock ${is}; it should have ${should}`;
  const isNothing = ought.reminded.length + ought.escalated.length + ought.rejected.length === 0;
  if (isNothing)
    return change.gates.length + change.items.length + change.decisions.length + change.events.length > 0
      ? 'nothing is due, and rows are written'
      : null;
  const wakes = ought.rejected.length > 0 && pair.state.job.status === 'deferred';
  if ((change.wake !== null) !== wakes) return `the clock ${wakes ? 'wakes nobody' : 'wakes the run'}`;
  if (countOf(change.events, 'approval.reminder') !== reminded.length) return 'a reminder without its event';
  if (countOf(change.events, 'approval.expired') !== escalated.length + rejected.length)
    return 'an expiry without its event';
  if (countOf(change.events, 'approval.gate_resolved') !== rejected.length)
    return 'a rejection by the clock without its event';
  const broken = historyProblem(pair.state, change);
  if (broken !== null) return broken;
  const state = applied(pair.state, change);
  const different = stateProblem(state, ought.world);
  if (different !== null) return different;
  const again = expireDue(state, request);
  return again.gates.length + again.events.length > 0 ? 'what is due is done twice' : { world: ought.world, state };
}
