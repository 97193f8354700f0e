/** Statements by which servers of one database agree on who does what; named parameters. */
import type { SqlDialect } from '../program.js';

/** A few with every one that is taken: more go than come, and no write is long. */
export const dropOccurrences = ({ goes }: Pick<SqlDialect, 'goes'>): string => `
DELETE FROM trigger_occurrences
WHERE occurrence_key IN (SELECT occurrence_key FROM trigger_occurrences WHERE taken_at <= @before ORDER BY taken_at LIMIT 8 ${goes})`;

/** One row changed: this caller is the first. */
export const TAKE_OCCURRENCE = `
INSERT INTO trigger_occurrences (occurrence_key, trigger_id, occurrence, taken_at) VALUES (@key, @triggerId, @occurrence, @now)
ON CONFLICT (occurrence_key) DO NOTHING`;

/** Asked first, so that those who come later write nothing. */
export const IS_TAKEN = 'SELECT taken_at FROM trigger_occurrences WHERE occurrence_key = @key';

/** One row changed: the lead is the caller's. */
export const TAKE_LEAD = `
INSERT INTO leads (name, holder, lead_until) VALUES (@name, @holder, @until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lead_until = excluded.lead_until
WHERE leads.holder = excluded.holder OR leads.lead_until <= @now`;

/** Asked first, so that a server that is not the leader writes nothing. */
export const GET_LEAD = 'SELECT holder, lead_until FROM leads WHERE name = @name';

export const YIELD_LEAD = 'DELETE FROM leads WHERE name = @name AND holder = @holder';

export const lockLimiter = ({ lock }: Pick<SqlDialect, 'lock'>): string =>
  `SELECT state FROM limiters WHERE account = @account ${lock}`;

/** There is a row of the account after it; the others change nothing. */
export const ADD_LIMITER =
  'INSERT INTO limiters (account, state) VALUES (@account, @state) ON CONFLICT (account) DO NOTHING';

export const SET_LIMITER = 'UPDATE limiters SET state = @state WHERE account = @account';
