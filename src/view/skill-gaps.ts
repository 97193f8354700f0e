import type { StoredEvent } from '../domain/events.js';
import { nearest } from '../lib/nearest.js';
import { own } from '../lib/own.js';

/** Calls of tools that no agent holds, grouped by what the tools are called. */
export interface SkillGap {
  /**
   * Words of the name in lower case joined by `-`, numbers as `*`: `getIssue_12` and `get-issue-7`
   * are one pattern.
   */
  readonly pattern: string;
  /** The names as agents wrote them, the most recent first, at most `MAX_EXAMPLES`. */
  readonly tools: readonly string[];
  readonly occurrences: number;
  readonly agents: readonly string[];
  readonly topologies: readonly string[];
  /** The same by topology, in the order of `topologies`. */
  readonly inTopologies: readonly GapInTopology[];
  /** Runs in which it happened, the most recent first, at most `MAX_EXAMPLES`. */
  readonly runs: readonly string[];
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** What the agent held at the most recent call. */
  readonly available: readonly string[];
  /** One of `available` that was probably meant; null when none is near. */
  readonly meant: string | null;
}

/** A gap as far as one topology is concerned. */
export interface GapInTopology {
  readonly topology: string;
  /** The name as it was written there last. */
  readonly tool: string;
  readonly occurrences: number;
  /**
   * How often it must happen there before it is listed, as the most recent run said
   * (`skill_gap_logging.surface_threshold`).
   */
  readonly threshold: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** Gaps of a whole log: a left fold of `reduceGaps`. Plain JSON. */
export interface GapsView {
  /** Highest position seen: an event at or below it changes nothing. */
  readonly lastPos: number;
  readonly byPattern: Readonly<Record<string, SkillGap>>;
}

/** A log of which nothing is known yet. */
export const NO_GAPS: GapsView = { lastPos: 0, byPattern: {} };

/** Of names and runs a few examples are enough: `occurrences` counts them all. */
const MAX_EXAMPLES = 5;

/** Adds an event of the log, in the order of `pos`; only `skill.gap` counts. */
export function reduceGaps(view: GapsView, event: StoredEvent): GapsView {
  if (event.pos <= view.lastPos) return view;
  if (event.type !== 'skill.gap') return { ...view, lastPos: event.pos };
  const pattern = patternOf(event.payload.tool);
  return {
    lastPos: event.pos,
    byPattern: { ...view.byPattern, [pattern]: addGap(own(view.byPattern, pattern), event) },
  };
}

/** What several spellings of one name have in common. */
export function patternOf(tool: string): string {
  const words = tool
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu);
  return words === null ? tool : words.map((word) => (/^\d/.test(word) ? '*' : word)).join('-');
}

function addGap(gap: SkillGap | undefined, event: Extract<StoredEvent, { type: 'skill.gap' }>): SkillGap {
  const { tool, available } = event.payload;
  return {
    pattern: patternOf(tool),
    tools: withFirst(gap?.tools ?? [], tool),
    occurrences: (gap?.occurrences ?? 0) + 1,
    agents: withSorted(gap?.agents ?? [], event.agentId ?? ''),
    topologies: withSorted(gap?.topologies ?? [], event.topologyId),
    inTopologies: withTopology(gap?.inTopologies ?? [], event),
    runs: withFirst(gap?.runs ?? [], event.jobId),
    firstSeen: gap?.firstSeen ?? event.timestamp,
    lastSeen: event.timestamp,
    available,
    meant: meantOf(tool, available),
  };
}

function withTopology(
  list: readonly GapInTopology[],
  event: Extract<StoredEvent, { type: 'skill.gap' }>,
): readonly GapInTopology[] {
  const topology = event.topologyId;
  if (topology === '') return list;
  const known = list.find((one) => one.topology === topology);
  const now = {
    topology,
    tool: event.payload.tool,
    occurrences: (known?.occurrences ?? 0) + 1,
    threshold: event.payload.surface_threshold ?? 1,
    firstSeen: known?.firstSeen ?? event.timestamp,
    lastSeen: event.timestamp,
  };
  return [...list.filter((one) => one !== known), now].sort((a, b) => (a.topology < b.topology ? -1 : 1));
}

/** Another spelling of a tool that the agent holds, or a slip of the pen. */
function meantOf(tool: string, available: readonly string[]): string | null {
  const pattern = patternOf(tool);
  return available.find((held) => patternOf(held) === pattern) ?? nearest(tool, available);
}

const withFirst = (list: readonly string[], one: string): readonly string[] =>
  [one, ...list.filter((known) => known !== one)].slice(0, MAX_EXAMPLES);

const withSorted = (list: readonly string[], one: string): readonly string[] =>
  one === '' || list.includes(one) ? list : [...list, one].sort();
