import { join } from 'node:path';
import type { CrashPoint } from '../view/doctor-report.js';

/**
 * What one process of `kit doctor --crash` is told: argv[2], as JSON. It holds no secret; the URL
 * of a server comes by the environment.
 */
export interface CrashProcessPlan {
  /** Directory of the case. */
  readonly dir: string;
  /** Schema that stands for `kit` on PostgreSQL. */
  readonly schema: string;
  /** Kills itself there; null = it carries the run to its end. */
  readonly dieAt: CrashPoint | null;
}

/** What it says at its end, as one line on stdout; a process that killed itself says nothing. */
export type CrashProcessReport =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint: string | null };

/**
 * One id in every store: then keys, steps and outcomes are the same everywhere and can be compared.
 */
export const CRASH_JOB = '0c0ffee0c0de';

/** Files of one case. */
export const crashPaths = (dir: string) => ({
  workspace: join(dir, 'workspace'),
  home: join(dir, 'home'),
  hits: join(dir, 'hits'),
  shown: join(dir, 'shown'),
});
