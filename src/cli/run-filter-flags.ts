import * as Flags from '@oclif/core/flags';
import type { RunFilter } from '../app/observe/run-filter.js';
import { KitError } from '../domain/errors.js';
import type { JobStatus } from '../domain/job.js';
import { durationMs } from '../lib/duration.js';

/**
 * A list of its own, which the compiler compares: every start of a command would load the module of
 * `JOB_STATUSES`.
 */
const STATUSES = Object.keys({
  pending: true,
  queued: true,
  running: true,
  deferred: true,
  stopped: true,
  completed: true,
  failed: true,
} satisfies Record<JobStatus, true>) as JobStatus[];

/** Flags that say which runs are meant, of every command that takes several. */
export const runFilterFlags = {
  status: Flags.option({
    options: STATUSES,
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    description: 'Only runs in this state; separate several with commas.',
    helpValue: 'STATUS',
  })(),
  label: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only runs with this label.',
    helpValue: 'KEY=VALUE',
  }),
  'correlation-id': Flags.string({ description: 'Only runs with this correlation id.', helpValue: 'ID' }),
  topology: Flags.string({
    char: 't',
    description: 'Only runs of this topology: name or name@version.',
    helpValue: 'NAME',
  }),
  since: Flags.string({ description: 'Only runs that were submitted within 90s, 5m, 2h, 7d.', helpValue: 'TIME' }),
  'older-than': Flags.string({
    description: 'Only runs that were submitted before this time: an age such as 90s, 5m, 2h, 7d.',
    helpValue: 'TIME',
  }),
};

/** What those flags were given. */
export interface RunFilterGiven {
  readonly status?: readonly JobStatus[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly 'correlation-id'?: string | undefined;
  readonly topology?: string | undefined;
  readonly since?: string | undefined;
  readonly 'older-than'?: string | undefined;
}

/** Null: nothing narrows the runs. Throws KIT_USAGE for what is not a time, KIT_LABEL_INVALID. */
export function runFilterOf(given: RunFilterGiven): RunFilter | null {
  const { status, label, topology, since, 'correlation-id': correlationId, 'older-than': olderThan } = given;
  const filter: RunFilter = {
    ...(status === undefined ? {} : { status }),
    ...(label === undefined ? {} : { labels: Object.fromEntries(label.map(labelOf)) }),
    ...(topology === undefined ? {} : { topology }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(since === undefined ? {} : { youngerThanMs: ageMs('since', since) }),
    ...(olderThan === undefined ? {} : { olderThanMs: ageMs('older-than', olderThan) }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new KitError('KIT_LABEL_INVALID', `--label ${text} is not of the form key=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * What a flag such as `--since 2h` says, in milliseconds. Throws KIT_USAGE for what is not an age.
 */
export function ageMs(flag: string, text: string): number {
  const value = durationMs(text);
  if (value === null)
    throw new KitError('KIT_USAGE', `--${flag} ${text} is not a time`, { hint: 'Write 90s, 5m, 2h or 7d.' });
  return value;
}
