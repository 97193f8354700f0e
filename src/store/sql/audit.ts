/**
 * Statements about the log as it is copied from, the same text in both dialects; named parameters.
 */

export const NEWEST_UP_TO = 'SELECT pos, event_id, hash FROM events WHERE pos <= @pos ORDER BY pos DESC LIMIT 1';

export const BEHIND =
  'SELECT count(*) AS events, min(timestamp) AS oldest FROM (SELECT timestamp FROM events WHERE pos > @afterPos ORDER BY pos LIMIT @max) AS waiting';
