/** How a dialect writes what the text of both leaves open. */
export interface NamedWords {
  /** The attachments of the outer `holder` as rows, to stand after FROM. */
  readonly files: string;
  readonly digestOfFile: string;
  /** Whether a text is in the list `@digests`. */
  readonly isAsked: (text: string) => string;
  /** Whether a text is among those that a query finds, which is carried out once. */
  readonly isFound: (text: string, query: string) => string;
}

/**
 * Everything that names a blob: a result, a snapshot, the diffs of a run, an attachment, an
 * artifact. `digest`: an expression, of one in the list `@digests`: the attachments of all runs are
 * looked through once for the whole list. `also`: what the run whose row it is must fulfil beside,
 * made from the expression of its id. BETWEEN: a handful of snapshots is shared by all runs, from
 * which PostgreSQL concludes that reading all of them is the shortest way to any one, and most
 * digests are not a snapshot. LIMIT and OFFSET: it would make a table of all digests that are
 * named, instead of looking at each. CASE: what a run must fulfil costs more than the look at its
 * digest.
 */
export const isNamedBy = (
  { files, digestOfFile, isAsked, isFound }: NamedWords,
  digest: string,
  also: (jobId: string) => string = () => '',
): string => {
  const some = (from: string, where: string): string =>
    `EXISTS (SELECT 1 FROM ${from} WHERE ${where} LIMIT 1 OFFSET 0)`;
  const attached = `
    SELECT DISTINCT ${digestOfFile} FROM jobs AS holder, ${files}
    WHERE holder.attachments <> '[]' AND CASE WHEN ${isAsked(digestOfFile)} THEN true${also('holder.id')} ELSE false END`;
  return `
(${some('steps', `outcome_sha256 = ${digest}${also('steps.job_id')}`)}
  OR ${some('jobs AS holder', `holder.snapshot BETWEEN ${digest} AND ${digest}${also('holder.id')}`)}
  OR ${some('jobs AS holder', `holder.diffs_sha256 = ${digest}${also('holder.id')}`)}
  OR ${some('artifacts', `artifacts.sha256 = ${digest}${also('artifacts.run_id')}`)}
  OR ${isFound(digest, attached)})`;
};
