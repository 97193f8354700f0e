import type { TestRecord } from './records.js';
import { list, member, number, text } from './report-fields.js';

/** `pending`, `skipped`, `todo`, `disabled`, `focused`: nothing ran. */
function statusOf(word: unknown): TestRecord['status'] {
  return word === 'passed' || word === 'failed' ? word : 'skipped';
}

/** The first place of the test file in a stack: where the check stands that failed. */
function lineInStack(message: string, file: string): number | null {
  const at = message.indexOf(`${file}:`);
  return file === '' || at === -1 ? null : number(/^\d+/.exec(message.slice(at + file.length + 1))?.[0]);
}

function recordOf(assertion: unknown, file: string): TestRecord {
  const message = list(member(assertion, 'failureMessages')).map(text).join('\n');
  const titles = [...list(member(assertion, 'ancestorTitles')), member(assertion, 'title')]
    .map(text)
    .filter((title) => title !== '');
  return {
    name: titles.length > 0 ? titles.join(' > ') : text(member(assertion, 'fullName')),
    file,
    line: number(member(member(assertion, 'location'), 'line')) ?? lineInStack(message, file),
    status: statusOf(member(assertion, 'status')),
    durationMs: number(member(assertion, 'duration')) ?? 0,
    message,
  };
}

/**
 * A file that could not be loaded holds no test, yet it failed: it is counted as one failure that
 * bears its name.
 */
function fileRecords(result: unknown): readonly TestRecord[] {
  const file = text(member(result, 'name')) || text(member(result, 'testFilePath'));
  const records = list(member(result, 'assertionResults')).map((assertion) => recordOf(assertion, file));
  if (records.length > 0 || member(result, 'status') !== 'failed') return records;
  return [
    {
      name: '(the file did not load)',
      file,
      line: null,
      status: 'failed',
      durationMs: 0,
      message: text(member(result, 'message')),
    },
  ];
}

/** The JSON report of jest, which vitest writes too. */
export function readJestReport(report: string): readonly TestRecord[] {
  const document: unknown = JSON.parse(report);
  return list(member(document, 'testResults')).flatMap(fileRecords);
}
