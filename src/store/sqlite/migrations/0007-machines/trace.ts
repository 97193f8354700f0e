/** The `traceparent` of who submitted a run; null in rows of earlier versions. */
export const TRACE = 'ALTER TABLE jobs ADD COLUMN trace_parent TEXT;';
