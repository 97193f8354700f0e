import { describe, expect, it } from 'vitest';
import { type Column, table } from '../../../src/text/lines/table.js';

const color = false;
type Row = readonly [run: string, topology: string, number: string, waiting: string];
const COLUMNS: readonly Column<Row>[] = [
  { title: 'RUN', of: ([run]) => run },
  { title: 'TOPOLOGY', canShrink: true, of: ([, topology]) => topology },
  { title: 'N', align: 'right', of: ([, , number]) => number },
  { title: 'WAITING ON', canShrink: true, of: ([, , , waiting]) => waiting },
];
const row = (...texts: Row): Row => texts;

describe('table', () => {
  it('aligns its columns, numbers to the right, and leaves out a column in which nothing stands', () => {
    expect(table(COLUMNS, [row('a', 'review', '5', ''), row('bcd', 'x', '12', '')], { color, width: null })).toEqual([
      'RUN  TOPOLOGY   N',
      'a    review     5',
      'bcd  x         12',
    ]);
  });

  it('cuts nothing where stdout is not a terminal', () => {
    const long = 'x'.repeat(400);

    expect(table(COLUMNS, [row('a', long, '1', long)], { color, width: null })[1]).toContain(long);
  });

  it.each([120, 80, 60, 44])('fits a terminal of %i columns by cutting what may be cut, the widest first', (width) => {
    const lines = table(
      COLUMNS,
      [
        row('0123456789ab', 'a-topology-with-a-long-name', '1', 'gate-of-the-release-of-the-whole-product'),
        row('b', 'short', '2', 'g'),
      ],
      {
        color,
        width,
      },
    );

    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('0123456789ab');
    if (width < 80) expect(lines[1]).toContain('…');
    expect(lines[2]).toContain('short');
  });

  it('keeps what must not be cut on a terminal that is too narrow for it', () => {
    expect(table(COLUMNS, [row('0123456789ab', 'topology', '1', 'gate')], { color, width: 10 })[1]).toContain(
      '0123456789ab',
    );
  });

  it('counts columns without the codes of colours', () => {
    const columns: readonly Column<readonly [string, string]>[] = [
      { title: 'A', of: ([a]) => a, tone: 'bad' },
      { title: 'B', of: ([, b]) => b },
    ];
    const [, line] = table(columns, [['x', 'y']], { color: true, width: null });

    expect(line).toBe('\u001b[31mx\u001b[39m  y');
  });
});
