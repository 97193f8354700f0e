import { readdirSync, readFileSync } from 'node:fs';
import type { StoredEvent } from '../../src/domain/events.js';
import { ENGINE } from '../../src/domain/journal.js';
import { decodeEvent, type EventRecord } from '../../src/store/event-row.js';
import type { RecordedJournal } from './crash-journal.js';

const DIRECTORY = new URL(`../journals/${ENGINE}/`, import.meta.url);

/**
 * The event streams of the recorded journals, by the name of their file: what real runs wrote,
 * crashes included.
 */
export function recordedStreams(): readonly { readonly name: string; readonly events: readonly StoredEvent[] }[] {
  return readdirSync(DIRECTORY).map((file) => {
    const journal = JSON.parse(readFileSync(new URL(file, DIRECTORY), 'utf8')) as RecordedJournal;
    const records = (journal.tables.events ?? []) as unknown as readonly EventRecord[];
    return { name: file.replace('.json', ''), events: records.map(decodeEvent).sort((a, b) => a.seq - b.seq) };
  });
}
