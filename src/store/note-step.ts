import type { RunWrite } from '../domain/journal.js';
import { get, type Program, run } from './program.js';
import { stepRefused } from './refusals.js';

/** What the dialects write differently of a step; with `@run` or `@jobId`. */
export interface NoteWords {
  readonly READ_OPEN_NOTES: string;
  readonly SET_NOTES: string;
}

/** Adds to the notes of a step that has no result. Throws KIT_INTERNAL for any other. */
export function* noteStep(
  { READ_OPEN_NOTES, SET_NOTES }: NoteWords,
  owner: { readonly run: number; readonly jobId: string },
  { key, notes }: Extract<RunWrite, { op: 'step.noted' }>,
): Program<void> {
  const open = yield* get<{ notes: string }>(READ_OPEN_NOTES, { ...owner, key });
  if (open === undefined) throw stepRefused(key, 'is not open');
  if (Object.keys(notes).length === 0) return;
  yield* run(SET_NOTES, { ...owner, key, notes: JSON.stringify({ ...JSON.parse(open.notes), ...notes }) });
}
