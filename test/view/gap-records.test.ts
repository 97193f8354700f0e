import { expect, it } from 'vitest';
import { gapsOf, toWireGapRecords } from '../../src/view/schemas/gap.js';
import { NO_GAPS, reduceGaps } from '../../src/view/skill-gaps.js';
import { type AnySketch, storedEvents } from '../support/stored-events.js';

const gap = (tool: string): AnySketch => ({
  type: 'skill.gap',
  agentId: 'reader',
  stepKey: 'root',
  payload: { tool, available: [] },
});

it('makes one record for each name and topology, the one seen last first', () => {
  const topologies = ['first', 'second', 'first', 'second', 'third'];
  const events = storedEvents([
    gap('getIssue_1'),
    gap('get-issue-2'),
    gap('get-issue-3'),
    gap('fly'),
    gap('get_issue_9'),
  ]).map((event, index) => ({
    ...event,
    topologyId: topologies[index] ?? '',
  }));

  const records = toWireGapRecords(gapsOf(events.reduce(reduceGaps, NO_GAPS)));

  expect(
    records.map(({ skill_id, topology_id, pattern, occurrences }) => [skill_id, topology_id, pattern, occurrences]),
  ).toEqual([
    ['get_issue_9', 'third', 'get-issue-*', 1],
    ['fly', 'second', 'fly', 1],
    ['get-issue-3', 'first', 'get-issue-*', 2],
    ['get-issue-2', 'second', 'get-issue-*', 1],
  ]);
  expect(records[2]).toMatchObject({ first_seen: '2030-01-02T03:04:05.000Z', last_seen: '2030-01-02T03:04:07.000Z' });
});
