import { fileURLToPath } from 'node:url';
import type { TestRecord } from './records.js';
import { member, number, text } from './report-fields.js';

const statusOf = (word: unknown): TestRecord['status'] => (word === 'passed' || word === 'skipped' ? word : 'failed');
const pathOf = (file: string): string => (file.startsWith('file:') ? fileURLToPath(file) : file);

/** Lines of the reporter for node --test. */
export function readNodeReport(report: string): readonly TestRecord[] {
  return report
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const record: unknown = JSON.parse(line);
      return {
        name: text(member(record, 'name')),
        file: pathOf(text(member(record, 'file'))),
        line: number(member(record, 'line')),
        status: statusOf(member(record, 'status')),
        durationMs: number(member(record, 'durationMs')) ?? 0,
        message: text(member(record, 'message')),
      };
    });
}
