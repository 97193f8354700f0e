import { relative } from 'node:path';
import type { CommandEnd, Framework, TestRecord } from './records.js';

/**
 * Failures and characters of each that a summary repeats; every test has a line of its own besides.
 */
const MAX_FAILURES = 50;
const MAX_MESSAGE_CHARS = 600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes start with this control character.
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Text without terminal escapes. */
export const plain = (text: string): string => text.replace(ANSI, '');

/** Paths below the repository are told from its root. */
export function relativeFile(root: string, file: string): string {
  const path = relative(root, file);
  return file.startsWith('/') && !path.startsWith('..') ? path : file;
}

/** The line of one test. */
export function testLine(test: TestRecord): Record<string, unknown> {
  const { name, file, status } = test;
  return {
    type: 'test',
    name,
    file,
    status,
    duration_ms: Math.round(test.durationMs),
    title: file === '' ? name : `${file} > ${name}`,
    ...(test.line === null ? {} : { line: test.line }),
    ...(test.message === '' ? {} : { message: plain(test.message).slice(0, MAX_MESSAGE_CHARS) }),
  };
}

function failureOf(test: TestRecord): Record<string, unknown> {
  const { name, file, line } = test;
  return { name, file, ...(line === null ? {} : { line }), message: plain(test.message).slice(0, MAX_MESSAGE_CHARS) };
}

export interface SummaryFacts {
  /** As a person would type it, without the arguments that were added. */
  readonly command: string;
  readonly framework: Framework | null;
  readonly end: CommandEnd;
  /** Null = there is no report: nothing is said about single tests. */
  readonly tests: readonly TestRecord[] | null;
}

/** `1 of 3 failed, 1 skipped, exit code 1`; without numbers the exit code alone. */
function outcomeText(exitCode: number, counts: { total: number; failed: number; skipped: number } | null): string {
  const code = `exit code ${exitCode}`;
  if (counts === null) return code;
  const { total, failed, skipped } = counts;
  const countsText = failed > 0 ? `${failed} of ${total} failed` : `${total - skipped} passed`;
  return `${countsText}${skipped === 0 ? '' : `, ${skipped} skipped`}, ${code}`;
}

/**
 * The last line: what ran and what came of it. Numbers stand in it only when a report told them.
 */
export function summaryLine(facts: SummaryFacts): Record<string, unknown> {
  const { command, framework, end, tests } = facts;
  const head = {
    type: 'summary',
    command,
    framework,
    exit_code: end.exitCode,
    duration_ms: Math.round(end.durationMs),
  };
  if (tests === null) {
    return {
      ...head,
      outcome: end.exitCode === 0 ? 'passed' : 'failed',
      outcome_text: outcomeText(end.exitCode, null),
      output_lines: end.lineCount,
      output_tail: end.tail,
    };
  }
  const count = (status: TestRecord['status']): number => tests.filter((test) => test.status === status).length;
  const failures = tests.filter((test) => test.status === 'failed');
  return {
    ...head,
    outcome: end.exitCode === 0 && failures.length === 0 ? 'passed' : 'failed',
    outcome_text: outcomeText(end.exitCode, {
      total: tests.length,
      failed: failures.length,
      skipped: count('skipped'),
    }),
    total: tests.length,
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped'),
    failures: failures.slice(0, MAX_FAILURES).map(failureOf),
    ...(failures.length > MAX_FAILURES ? { failures_omitted: failures.length - MAX_FAILURES } : {}),
  };
}
