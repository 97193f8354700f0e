import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { againOf } from '../../src/view/situation/situation.js';

const again = (input: string, labels: Job['labels'] = {}) =>
  // what the command is made of
  againOf({ id: '0123456789ab', topology: 't', attachments: [], input, labels } as unknown as Job);

describe('the command that does the work of a run again', () => {
  it('holds an input that is one plain line', () => {
    expect(again("it's short")).toEqual(['kit', 'run', 't', '--supersedes', '0123456789ab', '--input', "it's short"]);
  });

  it('asks the question again of a run that was to answer one', () => {
    expect(again('Question: why so?\nEvidence, one JSON string a line:\n"a"', { kit_ask: 'true' })).toEqual([
      'kit',
      'ask',
      'why so?',
    ]);
  });

  it('evaluates the set again of a run that was to judge, and not the topology with what was judged', () => {
    expect(again('an answer', { eval_set: 'smoke', eval_case: 'a', eval_part: 'judge' })).toEqual([
      'kit',
      'eval',
      'smoke',
    ]);
    expect(again('a task', { eval_set: 'smoke', eval_case: 'a' })).toContain('--supersedes');
  });

  it.each([
    ['reads like a flag', '--json, please'],
    ['is a dash', '-h'],
    ['has two lines', 'one\ntwo'],
    ['turns the reading direction', 'a\u202eb'],
    ['is long', 'x'.repeat(2001)],
  ])('asks on stdin for an input that %s', (_, input) => {
    expect(again(input).slice(-2)).toEqual(['--input', '-']);
  });
});
