import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { checkInput } from '../../../../src/app/submit/check-input.js';
import { loadJsonSchemas } from '../../../../src/lib/json-schema.js';
import { linearPattern } from '../../../../src/lib/patterns/linear-pattern.js';
import { createPatternJudge } from '../../../../src/system/patterns-in-time.js';

/** Each needs a time that doubles with every letter, for an engine that goes back. */
const LINEAR = ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '^(.*a){12}$', '^([a-z]+)*!?$', '(x+x+)+y'];
const HOSTILE = `${'a'.repeat(60)}${'x'.repeat(60)}\n!`;
const OUTSIDE = '^(?=(a+)+$)[^]*$';

const schemasOf = (pattern: string) => ({
  pattern: [{ type: 'object', properties: { a: { type: 'string', pattern } } }, { a: HOSTILE }] as const,
  patternProperties: [{ patternProperties: { [pattern]: false } }, { [HOSTILE]: 1 }] as const,
  branches: [{ anyOf: [{ pattern, type: 'string' }, { not: { pattern } }] }, HOSTILE] as const,
  reference: [{ $defs: { a: { pattern } }, $ref: '#/$defs/a' }, HOSTILE] as const,
});

async function whileTurning<T>(work: Promise<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await work.finally(() => {
    isOver = true;
  });
  return { value, turns };
}

describe('patterns of authors meet hostile texts', () => {
  it.each(LINEAR.flatMap((pattern) => Object.keys(schemasOf(pattern)).map((place) => [pattern, place] as const)))(
    'comes to an end for %s at %s',
    async (pattern, place) => {
      const [schema, value] = schemasOf(pattern)[place as keyof ReturnType<typeof schemasOf>];
      const issues = await (await loadJsonSchemas()).judge(schema, value);
      expect(issues.map(({ rule }) => rule)).toEqual(place === 'pattern' || place === 'reference' ? ['pattern'] : []);
    },
  );

  it('lets the process go on while a pattern outside of the engine is looked for', async () => {
    const schemas = await loadJsonSchemas(async () => createPatternJudge());
    const schema = { type: 'string', pattern: OUTSIDE };
    const { value, turns } = await whileTurning(schemas.judge(schema, `${'a'.repeat(60)}!`));
    expect(value.map(({ rule }) => rule)).toEqual(['pattern-timeout']);
    expect(turns).toBeGreaterThan(1);
    expect(await schemas.judge(schema, 'aaa')).toEqual([]);
    expect((await schemas.judge(schema, 'b')).map(({ rule }) => rule)).toEqual(['pattern']);
  });

  it('judges branches by the answers for patterns outside of the engine', async () => {
    const schemas = await loadJsonSchemas(async () => createPatternJudge(10_000));
    const schema = { anyOf: [{ pattern: '^(?!a)' }, { not: { pattern: '(.)\\1' } }] };
    expect(await schemas.judge(schema, 'baa')).toEqual([]);
    expect(await schemas.judge(schema, 'abc')).toEqual([]);
    expect(await schemas.judge(schema, 'abb')).not.toEqual([]);
  });

  it('refuses an input that was not judged in time', async () => {
    const schemas = await loadJsonSchemas(async () => createPatternJudge());
    const checked = await checkInput({ type: 'string', pattern: OUTSIDE }, `${'a'.repeat(60)}!`, async () => schemas);
    expect(checked).toMatchObject({ ok: false, errors: [{ rule: 'pattern-timeout' }] });
  });
});

describe('the linear engine', () => {
  const TEXTS = [
    '',
    'a',
    'a\n',
    'é',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '😀',
    '[a',
    '\\',
    '-',
    '/',
    'A1_b',
    ' \t\v',
    '^',
    'x=<',
  ];
  const PATTERNS = [
    ...[
      '^a$',
      '.',
      '^.$',
      String.raw`\s`,
      String.raw`^\S+$`,
      String.raw`[\s/]`,
      String.raw`\u00e9`,
      String.raw`\u{1F600}`,
    ],
    ...[
      String.raw`^\w+$`,
      String.raw`\W`,
      String.raw`\bA`,
      '[[a]',
      '[^a]',
      String.raw`[\^\-]`,
      String.raw`\/`,
      '(?<n>a)$',
    ],
    ...[String.raw`\p{L}`, String.raw`\\`, '^$', '(?:a|)$', 'a{0,3}?$', String.raw`\x41`, String.raw`[\\[]`],
  ];

  it.each(PATTERNS)('finds what JavaScript finds for %s', (source) => {
    const find = linearPattern(source, RE2JS);
    expect(find).not.toBeNull();
    const builtIn = new RegExp(source, 'u');
    expect(TEXTS.filter((text) => find?.(text) === true)).toEqual(TEXTS.filter((text) => builtIn.test(text)));
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', String.raw`(a)\1`, String.raw`(?<n>a)\k<n>`, 'a{1,2000}', '[^]'])(
    'does not take %s',
    (source) => {
      expect(linearPattern(source, RE2JS)).toBeNull();
    },
  );
});
