import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as postgresJobs from '../../src/store/postgres/sql/jobs.js';
import { PRUNE } from '../../src/store/postgres/sql/prune.js';
import * as jobs from '../../src/store/sql/jobs.js';
import * as retention from '../../src/store/sql/retention.js';
import { ADD_UNGATED_IN_POSTGRES } from '../../src/store/ungated.js';
import { projectRoot } from '../support/kit-process.js';

/** What a transaction keeps in mind of a locked row (src/store/postgres/locked-jobs.ts). */
const KEPT = (/SELECT (.*) FROM jobs/.exec(postgresJobs.LOCK_JOB)?.[1] ?? '').split(', ');

/** Names of the statements that write such a column of a row that is there. */
const setters = Object.entries({ ...jobs, ...postgresJobs, ...retention, ...PRUNE, ADD_UNGATED_IN_POSTGRES })
  .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  .filter(([, sql]) => {
    const set = /UPDATE jobs SET (.*?)(WHERE|$)/s.exec(sql)?.[1] ?? '';
    return KEPT.some((column) => new RegExp(`\\b${column} =`).test(set));
  })
  .map(([name]) => name);

describe('what is known of a locked job', () => {
  it('is known by its columns', () => {
    expect(KEPT).toContain('worker_id');
    expect(setters).toEqual(expect.arrayContaining(['REQUEUE_JOB', 'CLAIM_ONE', 'END_STOPPED', 'CLEAR_CRASHES']));
    expect(setters).not.toContain('SET_NEEDS');
  });

  it.each(globSync('src/store/**/*.ts', { cwd: projectRoot }))('is forgotten where it is changed, in %s', (file) => {
    const text = readFileSync(`${projectRoot}/${file}`, 'utf8');
    // SQLite holds the whole file, and keeps nothing in mind that another entry could change.
    const calls = [...text.matchAll(/(?<!\bsql\.)\b(?:run|change|get|all)(?:<\w+>)?\(\s*(?:PRUNE\.)?([A-Z_]+)\b/g)];

    expect(calls.map(([, name]) => name).filter((name) => setters.includes(name ?? ''))).toEqual([]);
  });
});
