import { describe, expect, it } from 'vitest';
import { gapsOf, suggestedAction, toWireGap } from '../../src/view/schemas/gap.js';
import { NO_GAPS, patternOf, reduceGaps, type SkillGap } from '../../src/view/skill-gaps.js';
import { type AnySketch, storedEvents } from '../support/stored-events.js';

const gap = (
  tool: string,
  agentId: string | null = 'reader',
  available: readonly string[] = ['read-file'],
): AnySketch => ({
  type: 'skill.gap',
  agentId,
  stepKey: 'root/d0/t0/c0',
  payload: { tool, available: [...available] },
});
const gapsIn = (...sketches: readonly AnySketch[]): readonly SkillGap[] =>
  gapsOf(storedEvents(sketches).reduce(reduceGaps, NO_GAPS));

describe('skill gaps', () => {
  it.each([
    ['getIssue_12', 'get-issue-*'],
    ['get-issue-7', 'get-issue-*'],
    ['GET ISSUE', 'get-issue'],
    ['mcp__jira__search', 'mcp-jira-search'],
    ['übersetzeText', 'übersetze-text'],
    ['__proto__', 'proto'],
    ['???', '???'],
    ['', ''],
  ])('see %s as %s', (tool, pattern) => expect(patternOf(tool)).toBe(pattern));

  it('count spellings of one name together, the most frequent first, and remember who and when', () => {
    const [first, second, ...rest] = gapsIn(gap('fly'), gap('readFile_1', 'writer', ['say']), gap('read_file_2'));

    expect(first).toMatchObject({
      pattern: 'read-file-*',
      tools: ['read_file_2', 'readFile_1'],
      occurrences: 2,
      agents: ['reader', 'writer'],
      topologies: ['demo'],
      runs: ['0123456789ab'],
      firstSeen: '2030-01-02T03:04:06.000Z',
      lastSeen: '2030-01-02T03:04:07.000Z',
      available: ['read-file'],
    });
    expect(second).toMatchObject({ pattern: 'fly', occurrences: 1 });
    expect(rest).toEqual([]);
  });

  it('keep a few examples of names, however many a model invents', () => {
    const [one] = gapsIn(...Array.from({ length: 40 }, (_, index) => gap(`tool_${index}`)));

    expect(one).toMatchObject({ occurrences: 40, tools: ['tool_39', 'tool_38', 'tool_37', 'tool_36', 'tool_35'] });
  });

  it('say which tool was meant when the agent holds one that is spelled almost alike, and otherwise that a skill is missing', () => {
    const [slip] = gapsIn(gap('read_file'));
    const [missing] = gapsIn(gap('fly', null, []));

    expect(slip?.meant).toBe('read-file');
    expect(slip === undefined ? '' : suggestedAction(slip)).toBe(
      'reader means read-file: write that name in the prompt where it says read_file',
    );
    expect(missing === undefined ? '' : suggestedAction(missing)).toBe(
      'give the agent a skill that does what fly promises, or say in the prompt that there is none',
    );
    expect(missing === undefined ? {} : toWireGap(missing)).toMatchObject({
      pattern: 'fly',
      occurrences: 1,
      meant: null,
      agents: [],
    });
  });
});

describe('a topology that asks for several occurrences', () => {
  const often = (tool: string, times: number): readonly AnySketch[] =>
    Array.from(
      { length: times },
      () => ({ ...gap(tool), payload: { tool, available: [], surface_threshold: 3 } }) as AnySketch,
    );

  it('shows a gap from then on, with all of them counted', () => {
    expect(gapsIn(...often('fly', 2))).toEqual([]);
    expect(gapsIn(...often('fly', 3))).toMatchObject([{ pattern: 'fly', occurrences: 3 }]);
  });
});
