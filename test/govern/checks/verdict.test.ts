import { describe, expect, it } from 'vitest';
import type { Severity } from '../../../src/domain/linked-funnel.js';
import type { ReviewFinding } from '../../../src/domain/review-findings.js';
import { findingsText, sortFindings } from '../../../src/govern/checks/findings.js';
import { critiqueOf, isPass, readVerdict } from '../../../src/govern/checks/verdict.js';

const PASS = { verdict: 'pass', confidence: 0.9, reasoning: 'Good.', flagged_items: ['a', { line: 3 }] };

describe('the verdict of a decision skill', () => {
  it.each([
    ['JSON alone', JSON.stringify(PASS)],
    ['a code fence', `Well.\n\`\`\`json\n${JSON.stringify(PASS)}\n\`\`\``],
    ['a provenance line behind it', `${JSON.stringify(PASS)}\n[source: judge:evaluate | 12ms]`],
    ['words around it', `I say ${JSON.stringify(PASS)}, and that is that.`],
    ['a value', PASS],
  ])('is read from %s', (_name, answer) => {
    expect(readVerdict(answer)).toEqual({
      verdict: 'pass',
      confidence: 0.9,
      reasoning: 'Good.',
      flaggedItems: ['a', '{"line":3}'],
      isInvalid: false,
    });
  });

  it.each(['PASS', ' pass ', 'Pass'])('takes %j for pass', (verdict) => {
    expect(readVerdict({ ...PASS, verdict }).verdict).toBe('pass');
  });

  it.each(['needs_revision', 'NEEDS-REVISION'])('takes %j for needs-revision', (verdict) => {
    expect(readVerdict({ ...PASS, verdict })).toMatchObject({ verdict: 'needs-revision', isInvalid: false });
  });

  it.each([undefined, null, '', 'ok', 'passed', 'approve', true, 1, ['pass']])(
    'counts %j as no verdict, and so as a fail',
    (verdict) => {
      const read = readVerdict({ ...PASS, verdict });

      expect(read).toMatchObject({ verdict: 'fail', isInvalid: true });
      expect(isPass(read, 0)).toBe(false);
    },
  );

  it.each(['', 'pass', 'verdict: pass', '[1, 2]', 'null', '{"verdict": "pass"', 42, null, undefined, []])(
    'counts %j as a fail with confidence 0',
    (answer) => {
      expect(readVerdict(answer)).toMatchObject({ verdict: 'fail', confidence: 0, isInvalid: false });
    },
  );

  it.each([undefined, '0.9', 90, -1, Number.NaN, null])('counts the confidence %j as 0', (confidence) => {
    const read = readVerdict({ ...PASS, confidence });

    expect(read.confidence).toBe(0);
    expect(isPass(read, 0.1)).toBe(false);
  });

  it.each([
    ['pass', 0.8, true],
    ['pass', 0.79, false],
    ['fail', 1, false],
    ['needs-revision', 1, false],
  ] as const)('lets %s with confidence %f through a threshold of 0.8: %s', (verdict, confidence, passed) => {
    expect(isPass(readVerdict({ ...PASS, verdict, confidence }), 0.8)).toBe(passed);
  });

  it.each([
    [{ verdict: 'fail', reasoning: 'Too long.' }, 'Too long.'],
    [{ verdict: 'pass', confidence: 0.5, reasoning: 'Fine.' }, 'a confidence of 0.5, and 0.8 is asked for.\nFine.'],
    [{ verdict: 'fail', reasoning: 'Bad:', flagged_items: ['a', 'b'] }, 'Bad:\n- a\n- b'],
    [{ verdict: 'fail' }, 'The judge said fail, and not why.'],
    [{ verdict: 'perhaps' }, 'The judge said no known verdict, and not why.'],
    ['nonsense', 'The answer holds no JSON object.'],
  ])('tells the author why: %j', (answer, critique) => {
    expect(critiqueOf(readVerdict(answer), 0.8)).toContain(critique);
  });
});

describe('findings of a reviewer', () => {
  const finding = (severity: Severity): ReviewFinding => ({
    id: `f-${severity}`,
    severity,
    location: 'a.ts:1',
    claim: 'It is wrong.',
    evidence: [],
    recommendation: 'Fix it.',
  });
  const all = (['info', 'low', 'medium', 'high', 'critical'] as const).map(finding);

  it.each([
    ['low', ['low', 'medium', 'high', 'critical']],
    ['high', ['high', 'critical']],
    ['critical', ['critical']],
  ] as const)('route back at %s and graver', (routeBackAt, grave) => {
    const sorted = sortFindings(all, routeBackAt);

    expect(sorted.grave.map(({ severity }) => severity)).toEqual(grave);
    expect([...sorted.light, ...sorted.grave]).toEqual(all);
  });

  it('are told to the author with severity, place and what to do', () => {
    expect(findingsText([finding('high')])).toBe('high f-high at a.ts:1: It is wrong. Fix it.');
  });
});
