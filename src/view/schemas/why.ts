// Why a run stands where it stands, as `GET /jobs/{id}/why` answers it.
import type { Actor } from '../situation/situation.js';
import { WHOLE_EVENT } from './event.js';
import { GATE } from './gate.js';
import { ITEM } from './item.js';
import { JOB } from './job.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  INTEGER,
  nullable,
  type Schema,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const FACT = closed({ seq: INTEGER, event_id: STRING, at: TIMESTAMP, type: STRING, text: STRING });

/**
 * `next.command`: what `kit why` prints, for whoever sits at the workspace; `next.words`: the words
 * of it.
 */
export const SITUATION = closed({
  code: STRING,
  cause: STRING,
  actors: arrayOf(closed({ kind: STRING as Schema<Actor['kind']>, names: STRINGS })),
  facts: arrayOf(FACT),
  next: closed({ command: STRING, fact: nullable(STRING), words: STRINGS }),
});

/** On the command line the words of a command are not told apart. */
export type WireSituation = Omit<TypeOf<typeof SITUATION>, 'next'> & {
  readonly next: Omit<TypeOf<typeof SITUATION>['next'], 'words'>;
};

export const WHY = closed({
  job: described(JOB, 'As `GET /jobs/{id}`.'),
  situation: SITUATION,
  events: arrayOf(WHOLE_EVENT),
  reasons: STRINGS,
  gates: arrayOf(GATE),
  items: arrayOf(ITEM),
  auto_resume: described(BOOLEAN, 'What is decided wakes the run; else it goes on when it is resumed.'),
  gate_elsewhere: described(nullable(STRING), 'Where people of another system decide; null = nobody there is asked.'),
});
export type WireWhy = TypeOf<typeof WHY>;
