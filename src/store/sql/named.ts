/** How a dialect writes what the text of both leaves open. */
export interface NamedWords {
  /** Whether a text holds another. */
  readonly holds: (text: string, part: string) => string;
}

/**
 * Everything that names a blob: a result, a snapshot, the diffs of a run, an attachment, an
 * artifact. `digest`: an expression. `also`: what the run whose row it is must fulfil beside, made
 * from the expression of its id. BETWEEN: a handful of snapshots is shared by all runs, from which
 * PostgreSQL concludes that reading all of them is the shortest way to any one, and most digests
 * are no snapshot.
 */
export const isNamedBy = (
  { holds }: NamedWords,
  digest: string,
  also: (jobId: string) => string = () => '',
): string => `
(EXISTS (SELECT 1 FROM steps WHERE outcome_sha256 = ${digest}${also('steps.job_id')})
  OR EXISTS (SELECT 1 FROM jobs AS holder WHERE holder.snapshot BETWEEN ${digest} AND ${digest}${also('holder.id')})
  OR EXISTS (SELECT 1 FROM jobs AS holder WHERE holder.diffs_sha256 = ${digest}${also('holder.id')})
  OR EXISTS (SELECT 1 FROM artifacts WHERE artifacts.sha256 = ${digest}${also('artifacts.run_id')})
  OR EXISTS (SELECT 1 FROM jobs AS holder WHERE holder.attachments <> '[]' AND ${holds('holder.attachments', digest)}${also('holder.id')}))`;
