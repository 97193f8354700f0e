import type { TestRecord } from './records.js';
import { list, member, number, text } from './report-fields.js';

const contentOf = (element: unknown): string =>
  [text(member(element, '@message')), text(member(element, '#text'))].filter((part) => part !== '').join('\n');

function recordOf(testcase: unknown): TestRecord {
  const problems = [...list(member(testcase, 'failure')), ...list(member(testcase, 'error'))];
  const isSkipped = member(testcase, 'skipped') !== undefined;
  const line = number(member(testcase, '@line'));
  return {
    name: [text(member(testcase, '@classname')), text(member(testcase, '@name'))]
      .filter((part) => part !== '')
      .join(' > '),
    file: text(member(testcase, '@file')),
    // pytest counts lines from 0.
    line: line === null ? null : line + 1,
    status: problems.length > 0 ? 'failed' : isSkipped ? 'skipped' : 'passed',
    durationMs: (number(member(testcase, '@time')) ?? 0) * 1000,
    message: problems.map(contentOf).join('\n'),
  };
}

/** The JUnit report of pytest. The parser is loaded when there is one to read. */
export async function readJunitReport(report: string): Promise<readonly TestRecord[]> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (XMLValidator.validate(report) !== true) throw new Error('the report is not a whole XML document');
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    alwaysCreateTextNode: true,
  });
  const document: unknown = parser.parse(report);
  const suites = [...list(member(member(document, 'testsuites'), 'testsuite')), ...list(member(document, 'testsuite'))];
  return suites.flatMap((suite) => list(member(suite, 'testcase'))).map(recordOf);
}
