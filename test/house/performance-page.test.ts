import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Figure, figuresOf, textOf, withFigures } from '../bench/support/performance-page.js';
import { projectRoot } from '../support/kit-process.js';

const BENCH = join(projectRoot, 'test', 'bench');
const page = readFileSync(join(projectRoot, 'docs', 'performance.md'), 'utf8');
const benches = readdirSync(BENCH)
  .filter((name) => name.endsWith('.bench.mjs'))
  .sort()
  .map((name) => ({
    name: name.slice(0, -'.bench.mjs'.length),
    text: textOf(readFileSync(join(BENCH, name), 'utf8')),
  }));

describe('the page on performance', () => {
  it('holds each bench as it describes itself, and a figure never without its commit, load and day', () => {
    expect(withFigures(page, { benches, taken: new Map() })).toBe(page);
    for (const { name, text } of benches) expect([name, text.length > 50]).toEqual([name, true]);
    for (const [name, rows] of figuresOf(page))
      for (const { commit, load, day } of rows)
        expect([name, commit, load, day]).toEqual([
          name,
          expect.stringMatching(/^[0-9a-f]{8}\+?$/),
          expect.stringMatching(/^\d/),
          expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        ]);
  });

  it('is made by the command that names the same benches', () => {
    const reported = execFileSync(process.execPath, [join(BENCH, 'run.mjs'), '--list'], { encoding: 'utf8' });
    expect(reported.trim().split('\n')).toEqual(benches.map(({ name }) => name));
  });
});

describe('figures that are taken', () => {
  const some = [
    { name: 'one', text: 'What one does.' },
    { name: 'two', text: 'What two does.' },
  ];
  const [begin, end] = [/<!-- figures:.*-->/, /<!-- end.*-->/].map((mark) => mark.exec(page)?.[0] ?? '');
  const empty = `before\n${begin}\n${end}\nafter\n`;
  const figure: Figure = {
    name: 'a | b',
    value: '5 ms',
    bar: { text: '<= 4 ms', holds: false },
    commit: '01234567',
    load: '1.5',
    day: '2026-01-02',
  };

  it('stand in the section of their bench, with what is missed, and say so where there are none', () => {
    const written = withFigures(empty, { benches: some, taken: new Map([['one', [figure]]]) });

    expect(written).toContain('### one\n\nWhat one does.\n');
    expect(written).toContain('| a \\| b | 5 ms | <= 4 ms: **missed** | 01234567 | 1.5 | 2026-01-02 |');
    expect(written).toContain('| not taken at this commit |');
    expect([written.startsWith(`before\n${begin}`), written.endsWith(`${end}\nafter\n`)]).toEqual([true, true]);
    expect(figuresOf(written)).toEqual(
      new Map([
        ['one', [figure]],
        ['two', []],
      ]),
    );
  });

  it('replace those of their bench, and leave those of others as they were taken', () => {
    const first = withFigures(empty, {
      benches: some,
      taken: new Map([
        ['one', [figure]],
        ['two', [figure]],
      ]),
    });
    const newer: Figure = { ...figure, name: 'c', bar: null, commit: '89abcdef+', day: '2026-02-03' };
    const second = withFigures(first, { benches: some, taken: new Map([['two', [newer]]]) });

    expect(figuresOf(second)).toEqual(
      new Map([
        ['one', [figure]],
        ['two', [newer]],
      ]),
    );
  });

  it('of a bench that is gone go with it', () => {
    const first = withFigures(empty, { benches: some, taken: new Map([['one', [figure]]]) });
    expect(figuresOf(withFigures(first, { benches: some.slice(1), taken: new Map() }))).toEqual(new Map([['two', []]]));
  });
});
