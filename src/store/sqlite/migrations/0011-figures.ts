/** What an ended run comes to, as JSON text; null until it was counted. */
export const FIGURES = 'ALTER TABLE jobs ADD COLUMN figures TEXT;';
