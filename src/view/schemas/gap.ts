// Tools that agents called and do not hold, as `skill-gaps.ts` makes them.
import { arrayOf, COUNT, closed, INTEGER, STRING, STRINGS, TEXT_OR_NULL, type TypeOf } from './words.js';

const RECORD = closed({
  skill_id: STRING,
  topology_id: STRING,
  pattern: STRING,
  suggested_action: STRING,
  first_seen: STRING,
  last_seen: STRING,
  occurrences: COUNT,
});
export type WireGapRecord = TypeOf<typeof RECORD>;

/** `GET /gaps`. */
export const GAP_RECORDS = arrayOf(RECORD);

const GAP = closed({
  pattern: STRING,
  tools: STRINGS,
  occurrences: INTEGER,
  agents: STRINGS,
  topologies: STRINGS,
  runs: STRINGS,
  first_seen: STRING,
  last_seen: STRING,
  available: STRINGS,
  meant: TEXT_OR_NULL,
  suggested_action: STRING,
});
export type WireGap = TypeOf<typeof GAP>;

/** `GET /gaps/all`. */
export const GAPS = closed({
  gaps: arrayOf(GAP),
  inert: arrayOf(closed({ topology: STRING, runs: COUNT, agent: STRING, skill: TEXT_OR_NULL })),
});
export type WireGaps = TypeOf<typeof GAPS>;
