// What a run used, as `toWireUsage` makes it.
import { closed, described, INTEGER, NUMBER, nullable, type TypeOf } from './words.js';

export const RUN_USAGE = closed(
  {
    input_tokens: INTEGER,
    output_tokens: INTEGER,
    cached_input_tokens: INTEGER,
    reasoning_tokens: INTEGER,
    cost_usd: described(nullable(NUMBER), 'USD; null = part of it is unknown.'),
    known_cost_usd: described(NUMBER, 'USD; the sum of what is known.'),
    unknown_costs: described(INTEGER, 'Calls whose cost nobody knows.'),
    saved_usd: described(NUMBER, 'What caches of providers took off the cost. Absent: nothing that is known.'),
  },
  ['saved_usd'],
);
export type WireRunUsage = TypeOf<typeof RUN_USAGE>;
