import { describe, expect, it } from 'vitest';
import { countLines, isCounted } from '../../scripts/lib/code-lines.mjs';
import { filesOf, refusalOf, SAMPLES, sorted } from '../../scripts/lib/footprint.mjs';
import { projectRoot } from '../support/kit-process.js';

describe.each(SAMPLES)('the sample change $name', ({ name, atMost, besides }) => {
  it('applies', () => {
    expect(refusalOf(projectRoot, name)).toBeNull();
  });

  it('brings its test, and touches no more files than it may', async () => {
    const { hand, tests } = sorted(await filesOf(projectRoot, name), new Set());

    expect(tests).toHaveLength(1);
    expect(hand.length).toBeGreaterThan(besides);
    expect(hand.length - besides).toBeLessThanOrEqual(atMost);
  });
});

it('says of a change that does not apply why', () => {
  expect(refusalOf(projectRoot, 'no-such-change')).toMatch(/no-such-change/);
});

describe('lines of code', () => {
  const code = (text: string) => countLines('some.ts', text).code;

  it('leaves out blanks and comments of every form', () => {
    expect(code('// one\n\n/* two\n three */\n/** four */\nconst five = 5; // six\n')).toBe(1);
    expect(code('')).toBe(0);
  });

  it('counts what looks like a comment and is a text, and no blank line within it', () => {
    expect(code('const a = `// no\n\n/* comment */ ${1}\n`;\nconst b = /\\/\\*/;\n')).toBe(4);
  });

  it('counts product code, and neither tests nor what is generated', () => {
    const paths = ['src/a/b.ts', 'plugins/x/src/c.tsx', 'src/a/generated/d.ts', 'test/e.ts', 'plugins/x/test/f.ts'];
    expect(paths.filter(isCounted)).toEqual(['src/a/b.ts', 'plugins/x/src/c.tsx']);
  });
});
