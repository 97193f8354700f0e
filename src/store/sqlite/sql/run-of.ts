/**
 * `jobs.ord` of a job id, by which the journal and the log are indexed; 0 stands for events of no
 * job.
 */
export const RUN_OF = "(CASE @jobId WHEN '' THEN 0 ELSE (SELECT ord FROM jobs WHERE id = @jobId) END)";
