import type { Json } from '../../domain/json.js';
import type { RunServices } from '../services.js';
import type { Decided } from './launch-value.js';
import type { WaitingCall } from './waiting-call.js';

/**
 * How a launch begins: anew, with what people decided, with the answers of calls that waited, or
 * after a process that died in it.
 */
export type Going =
  | { readonly kind: 'anew' }
  | { readonly kind: 'answered'; readonly from: SessionPlace; readonly calls: readonly WaitingCall[] }
  | { readonly kind: 'decided'; readonly decided: Decided }
  | { readonly kind: 'doubt'; readonly from: SessionPlace; readonly decided: Decided | null };

/** Where a session can go on. */
export interface SessionPlace {
  readonly session: string | null;
  readonly worktree: string | null;
  readonly base_commit: string | null;
}

/** What people decided about the call of the launch before; null = they were asked nothing. */
export const decidedOf = (going: Going): Decided | null =>
  going.kind === 'anew' || going.kind === 'answered' ? null : going.decided;

const NOWHERE: SessionPlace = { session: null, worktree: null, base_commit: null };

/** Where the session was before a launch. */
export function placeOf(going: Going): SessionPlace {
  switch (going.kind) {
    case 'anew':
      return NOWHERE;
    case 'decided':
      return going.decided.asked;
    case 'answered':
    case 'doubt':
      return going.from;
  }
}

/** Where it is now; a launch that died before it noted anything had changed nothing of it. */
export function placeIn(notes: Readonly<Record<string, unknown>>, before: SessionPlace): SessionPlace {
  const text = (name: keyof SessionPlace): string | null => {
    const noted = notes[name];
    return typeof noted === 'string' ? noted : before[name];
  };
  return { session: text('session'), worktree: text('worktree'), base_commit: text('base_commit') };
}

/** Notes of the last launch of a draft; none where there is no draft. */
export function notesOfLast(services: RunServices, draft: string | null): Readonly<Record<string, Json>> {
  let last: Readonly<Record<string, Json>> = {};
  if (draft === null) return last;
  for (let number = 0; ; number += 1) {
    const row = services.steps.rowOf(`${draft}/s${number}`);
    if (row === undefined) return last;
    last = {
      session: row.notes.session ?? null,
      worktree: row.notes.worktree ?? null,
      base_commit: row.notes.base_commit ?? null,
    };
  }
}
