/**
 * Who is behind what. Of a run: who submitted those before it in its line, put together when its
 * row is inserted, and the gates that nobody was asked about. Of a conversation: whether it is open
 * to everybody of its tier.
 */
export const PEOPLE = `ALTER TABLE jobs ADD COLUMN earlier_submitters TEXT NOT NULL DEFAULT '[]';
ALTER TABLE jobs ADD COLUMN ungated TEXT NOT NULL DEFAULT '[]';
ALTER TABLE conversations ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;`;
