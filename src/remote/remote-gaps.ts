import type { InertBinding } from '../app/observe/observe-app.js';
import { type Fields, fieldsOf, maybeTextAt, numberAt, textAt, textsAt } from '../lib/read-json.js';
import type { SkillGap } from '../view/skill-gaps.js';
import type { RemoteContext } from './remote-context.js';

/** Gaps, and what is wired and never fired. */
export const readGaps = async ({ client }: RemoteContext): Promise<Fields> =>
  fieldsOf(await client.read(client.http.GET('/gaps/all')));

/** Out of what `toWireGap` makes. */
export const gapOf = (gap: Fields): SkillGap => ({
  pattern: textAt(gap, 'pattern'),
  tools: textsAt(gap, 'tools'),
  occurrences: numberAt(gap, 'occurrences'),
  agents: textsAt(gap, 'agents'),
  topologies: textsAt(gap, 'topologies'),
  inTopologies: [],
  runs: textsAt(gap, 'runs'),
  firstSeen: textAt(gap, 'first_seen'),
  lastSeen: textAt(gap, 'last_seen'),
  available: textsAt(gap, 'available'),
  meant: maybeTextAt(gap, 'meant'),
});

export const inertOf = (binding: Fields): InertBinding => ({
  topology: textAt(binding, 'topology'),
  runs: numberAt(binding, 'runs'),
  agent: textAt(binding, 'agent'),
  skill: maybeTextAt(binding, 'skill'),
});
