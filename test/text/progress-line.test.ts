import { expect, it } from 'vitest';
import { createProgressLine } from '../../src/text/progress-line.js';

/** What is written of a removal of 200 runs, ten at a time, each batch of which takes so long. */
function written(isTty: boolean, batchMs: number): string {
  let [text, atMs] = ['', 0];
  const line = createProgressLine({
    write: (more) => {
      text += more;
    },
    isTty,
    now: () => atMs,
  });
  for (let done = 10; done <= 200; done += 10, atMs += batchMs) line.show(done, 200, 'runs removed');
  line.end();
  return text;
}

it('writes a line at each quarter of what is soon done, where nobody sees a line change', () => {
  expect(written(false, 1).split('\n')).toEqual([
    '  5% 10/200 runs removed',
    ' 25% 50/200 runs removed',
    ' 50% 100/200 runs removed',
    ' 75% 150/200 runs removed',
    '100% 200/200 runs removed',
    '',
  ]);
});

it('writes a line every few seconds of what takes long', () => {
  expect(written(false, 5_000).split('\n')).toHaveLength(21);
});

it('rewrites one line on a terminal, and leaves nothing behind', () => {
  const lines = written(true, 100).split('\r');

  expect(lines).toHaveLength(23);
  expect(lines.at(-3)).toBe('######################## 100% 200/200 runs removed');
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^ +$/), '']);
});
