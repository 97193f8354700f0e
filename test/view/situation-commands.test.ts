import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { againOf } from '../../src/view/situation/situation.js';

const again = (input: string) => againOf({ id: '0123456789ab', topology: 't', attachments: [], input } as unknown as Job); // what the command is made of

describe('the command that does the work of a run again', () => {
  it('holds an input that is one plain line', () => {
    expect(again("it's short")).toEqual(['kit', 'run', 't', '--supersedes', '0123456789ab', '--input', "it's short"]);
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
