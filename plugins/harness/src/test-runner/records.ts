/** Test frameworks whose machine-readable report is understood. */
export type Framework = 'node:test' | 'vitest' | 'jest' | 'pytest';

/** One test, as its framework reported it. */
export interface TestRecord {
  readonly name: string;
  /** Relative to the repository; '' when the framework did not say. */
  readonly file: string;
  readonly line: number | null;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Why it failed; '' otherwise. */
  readonly message: string;
}

/** How the command itself went. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly durationMs: number;
  /** Lines of stdout and stderr, in order of arrival. */
  readonly lineCount: number;
  /** The last of them. */
  readonly tail: readonly string[];
}
