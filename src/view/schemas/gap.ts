// Tools that agents called and do not hold.
import type { GapInTopology, GapsView, SkillGap } from '../skill-gaps.js';
import { toWire } from './codec.js';
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

export const GAP = closed({
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

/**
 * What a person can do about a gap, in one sentence. The names in it are those that a model wrote.
 */
export function suggestedAction(gap: SkillGap): string {
  const who = gap.agents.join(', ') || 'the agent';
  const tool = gap.tools[0] ?? gap.pattern;
  if (gap.meant !== null) return `${who} means ${gap.meant}: write that name in the prompt where it says ${tool}`;
  return `give ${who} a skill that does what ${tool} promises, or say in the prompt that there is none`;
}

/** A gap as CLI and HTTP show it. */
export const toWireGap = (gap: SkillGap): WireGap => toWire(GAP, { ...gap, suggestedAction: suggestedAction(gap) });

/** It happened there as often as the run says that it must. */
const isSurfaced = ({ occurrences, threshold }: GapInTopology): boolean => occurrences >= threshold;

/**
 * Gaps as `GET /gaps` lists them: one record for each name and topology, the one seen last first.
 */
export const toWireGapRecords = (gaps: readonly SkillGap[]): readonly WireGapRecord[] =>
  gaps
    .flatMap((gap) =>
      gap.inTopologies.filter(isSurfaced).map((one) => ({
        skill_id: one.tool,
        topology_id: one.topology,
        pattern: gap.pattern,
        suggested_action: suggestedAction(gap),
        first_seen: one.firstSeen,
        last_seen: one.lastSeen,
        occurrences: one.occurrences,
      })),
    )
    .sort((a, b) => (a.last_seen < b.last_seen ? 1 : a.last_seen > b.last_seen ? -1 : 0));

/**
 * Those that happened as often in some topology as it says they must; the most frequent first, then
 * the most recent.
 */
export const gapsOf = (view: GapsView): readonly SkillGap[] =>
  Object.values(view.byPattern)
    .filter(({ inTopologies }) => inTopologies.length === 0 || inTopologies.some(isSurfaced))
    .sort((a, b) => b.occurrences - a.occurrences || (a.lastSeen < b.lastSeen ? 1 : -1));
