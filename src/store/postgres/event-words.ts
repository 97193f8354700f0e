import type { EventRecord } from '../event-row.js';
import type { EventWords } from '../look-back.js';
import { all } from '../program.js';
import {
  NEWEST,
  NEWEST_OF_RUN,
  NEWEST_OF_TYPES,
  READ_RUN,
  READ_RUN_TYPES,
  READ_TYPES,
  SEQ_BEFORE_POS,
} from './sql/events.js';

/** The log in PostgreSQL. Positions are drawn in commit order (see INSERT_EVENTS). */
export const EVENT_WORDS: EventWords = {
  READ_RUN,
  READ_RUN_TYPES,
  SEQ_BEFORE_POS,
  NEWEST,
  NEWEST_OF_RUN,
  readsManyTypes: 'read',
  readTypes: (types, range) => all<EventRecord>(READ_TYPES, { types, ...range }),
  newestOfTypes: (types, { residue, params }) => all<EventRecord>(NEWEST_OF_TYPES(residue), { types, ...params }),
  backSlice: 50_000,
};
