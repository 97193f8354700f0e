import type { StepRow } from '../../domain/journal.js';
import type { RemoteTasks } from '../../domain/ports/remote-agents.js';
import type { Clock } from '../../domain/ports/system.js';
import type { Wait } from '../../domain/wait.js';
import { type RemoteNote, remoteNoteOf } from '../../engine/skills/remote-note.js';
import { createSemaphore } from '../../lib/semaphore.js';
import { untilMoved } from './until-moved.js';

/** Streams that one run follows while it rests. */
const MAX_STREAMS = 20;
const MAX_AT_ONCE = 4;

/**
 * For a process that keeps its run while agents elsewhere work: resolves when one of the tasks that
 * it waits for has moved, or the signal aborts.
 */
export function anyMoved(
  { clock }: { readonly clock: Clock },
  tasks: RemoteTasks,
  of: { readonly waits: readonly Wait[]; readonly rows: Iterable<StepRow> },
): (signal: AbortSignal) => Promise<void> {
  const keys = new Set(of.waits.flatMap(({ remote }) => remote ?? []));
  const notes = [...of.rows].flatMap((row): readonly RemoteNote[] => {
    const note = keys.has(row.key) ? remoteNoteOf(row.notes) : null;
    return note === null ? [] : [note];
  });
  return async (signal) => {
    let streams = 0;
    const takeStream = () => {
      if (streams >= MAX_STREAMS) return null;
      streams += 1;
      return () => {
        streams -= 1;
      };
    };
    const over = new AbortController();
    const parts = { tasks, clock, takeStream, inTurn: createSemaphore(MAX_AT_ONCE) };
    const each = { ...parts, signal: AbortSignal.any([signal, over.signal]) };
    const watching = notes.map((note) => untilMoved(each, note));
    await Promise.race(watching);
    over.abort('over');
    await Promise.all(watching);
  };
}
