import { describe, expect, it } from 'vitest';
import { crashProgress, crashText } from '../../../src/text/crash-text.js';
import { doctorText } from '../../../src/text/doctor-text.js';
import type { CrashReport } from '../../../src/view/doctor-report.js';

const PLAIN = { color: false, width: null };
const REPORT: CrashReport = {
  store: 'postgres',
  points: 56,
  chosen: 56,
  tried: 56,
  recovered: 56,
  repeated: 21,
  lost: 0,
  seed: 1,
  elapsedMs: 156_000,
  failures: [],
};

describe('the text of kit doctor', () => {
  it('has a line for each check, the fix below it, and the counts as the last line', () => {
    const text = doctorText(
      {
        workspace: '/w',
        checks: [
          { id: 'node', status: 'ok', found: 'Node.js 24', fix: null },
          { id: 'store.runtime', status: 'fail', found: 'down', fix: 'Start it,\nor move it.' },
          { id: 'clock', status: 'skipped', found: 'no clock', fix: null },
        ],
      },
      PLAIN,
    );
    expect(text.split('\n')).toEqual([
      'ok       node           Node.js 24',
      'fail     store.runtime  down',
      '         fix: Start it,',
      '              or move it.',
      'skipped  clock          no clock',
      '',
      '1 ok, 1 fail, 1 skipped',
    ]);
  });

  it('lets nothing of a message move the terminal', () => {
    const check = { id: 'a\u001b[2J', status: 'fail', found: 'b\u001b]0;x\u0007\nc', fix: 'd\u001b[31m\re' } as const;
    const text = doctorText({ workspace: '/w', checks: [check] }, PLAIN);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these may not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe('the text of kit doctor --crash', () => {
  it('ends with the figures', () => {
    expect(crashText(REPORT, PLAIN)).toBe('56/56 recovered, 21 repeated, 0 lost (postgres, 2 min 36 s)');
  });

  it('says which share was tried, and where it was cut off', () => {
    const text = crashText({ ...REPORT, chosen: 11, tried: 4, recovered: 4, seed: 7 }, PLAIN);
    expect(text).toBe(
      '4/11 recovered, 21 repeated, 0 lost (postgres, 11 of 56 fault points by seed 7, cut off after 4, 2 min 36 s)',
    );
  });

  it('names each point after which a run did not come to its end, with at most five reasons', () => {
    const violations = Array.from({ length: 7 }, (_, index) => `reason ${index}`);
    const lines = crashText(
      { ...REPORT, recovered: 55, failures: [{ point: { name: 'run.step_ended:after', nth: 3 }, violations }] },
      PLAIN,
    ).split('\n');
    expect(lines[0]).toBe('not recovered run.step_ended:after#3');
    expect(lines).toHaveLength(8);
    expect(lines[6]).toBe('  and 2 more');
  });

  it('tells how far it has come in one line', () => {
    expect(crashProgress({ ...REPORT, tried: 12, recovered: 12 })).toBe(
      '12/56 points, 12 recovered, 21 repeated, 0 lost, 2 min 36 s',
    );
  });
});
