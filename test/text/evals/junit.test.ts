import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import type { EvalCaseResult } from '../../../src/app/evals/eval-app.js';
import { evalJunit } from '../../../src/text/junit.js';

const result = (over: Partial<EvalCaseResult>): EvalCaseResult => ({
  id: 'a',
  passed: true,
  error: null,
  output: '',
  checks: [],
  runId: null,
  judgeRunId: null,
  durationMs: 1500,
  ...over,
});

it('JUnit holds nothing that XML cannot, whatever a model wrote', () => {
  const hostile = 'a\u0000\u001b[31m"<&>\']]>\ud800\n';
  const text = evalJunit([
    {
      setId: hostile,
      target: 't',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:01.000Z',
      report: '/r',
      comparison: null,
      notRun: ['late'],
      cases: [
        result({}),
        result({ id: 'b', passed: false, checks: [{ name: 'equals', passed: false, detail: hostile }] }),
        result({ id: 'c', passed: false, error: 'it parked' }),
      ],
    },
  ]);

  expect(text).toContain('name="a[31m&quot;&lt;&amp;&gt;&apos;]]&gt;&#10;" tests="4" failures="1" errors="1"');
  expect(text).toContain('<error message="it parked">it parked</error>');
  expect(XMLValidator.validate(text)).toBe(true);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, trimValues: false, htmlEntities: true }).parse(text);
  expect(testsuites.testsuite.testcase).toMatchObject([
    { '@_name': 'a' },
    { '@_name': 'b', failure: { '@_message': expect.stringContaining(`equals: a[31m"<&>']]>`) } },
    { '@_name': 'c', error: { '@_message': 'it parked' } },
    { '@_name': 'late', skipped: { '@_message': 'interrupted' } },
  ]);
  expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
});
