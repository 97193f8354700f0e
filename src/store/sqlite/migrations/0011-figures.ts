/** What an ended run comes to (src/store/kept-figures.ts); null until it was counted. */
export const FIGURES = 'ALTER TABLE jobs ADD COLUMN figures TEXT;';
