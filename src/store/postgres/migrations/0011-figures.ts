/** The notes stand beside the text of the other dialect. */
export const FIGURES = 'ALTER TABLE jobs ADD COLUMN figures TEXT;';
