import type { EarlierSubmitter, Submitter } from '../domain/job.js';

/** An entry as the statements below write it. */
interface EarlierRecord {
  readonly job: string;
  readonly identity: string;
  readonly assurance: Submitter['assurance'];
}

/** The column holds what `INSERT_JOB` has put together, and nothing else writes it. */
export const decodeEarlier = (text: string): readonly EarlierSubmitter[] =>
  text === '[]'
    ? []
    : (JSON.parse(text) as readonly EarlierRecord[]).map(({ job, identity, assurance }) => ({
        jobId: job,
        submittedBy: { identity, assurance },
      }));

/** Those whom another system names: on its word, and of no run that is known here. */
export const encodeBehalf = (identities: readonly string[]): string =>
  JSON.stringify(
    [...new Set(identities)].map((identity): EarlierRecord => ({ job: '', identity, assurance: 'asserted' })),
  );

/**
 * The submitters before a new run, read from the row of its parent, or of the run that asks for
 * it, in the statement that inserts it: whoever makes such a run cannot leave them out. Where that
 * is not a run, or is gone, there are those alone that another system has named.
 */
const earlierOf = (isKnown: string, added: string): string =>
  `coalesce((SELECT CASE WHEN ${isKnown} THEN parent.earlier_submitters ELSE ${added} END FROM jobs AS parent WHERE parent.id = coalesce(@parent_job_id, @caller_job_id)), @on_behalf_of)`;

const ENTRY = "'job', parent.id, 'identity', parent.submitted_by, 'assurance', parent.submitted_assurance";

export const EARLIER_IN_SQLITE = earlierOf(
  `EXISTS (SELECT 1 FROM json_each(parent.earlier_submitters) AS known
    WHERE known.value ->> 'identity' = parent.submitted_by AND known.value ->> 'assurance' = parent.submitted_assurance)`,
  `json_insert(parent.earlier_submitters, '$[#]', json_object(${ENTRY}))`,
);

export const EARLIER_IN_POSTGRES = earlierOf(
  `CAST(parent.earlier_submitters AS JSONB) @>
    jsonb_build_array(jsonb_build_object('identity', parent.submitted_by, 'assurance', parent.submitted_assurance))`,
  `CAST(CAST(parent.earlier_submitters AS JSONB) || jsonb_build_array(jsonb_build_object(${ENTRY})) AS TEXT)`,
);
