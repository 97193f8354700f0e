// What starts runs by itself, as the routes of triggers show it.
import { JOB } from './job.js';
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  type HeldOf,
  held,
  NULL,
  OBJECT,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  TRUE,
  type TypeOf,
} from './words.js';

/** The settings of a trigger are a matter of its type, or of its plugin: they are open. */
const TRIGGER = closed({
  id: STRING,
  type: among(['cron', 'webhook', 'file_watch', 'manual', 'plugin']),
  provider_id: TEXT_OR_NULL,
  enabled: BOOLEAN,
  active: BOOLEAN,
  reason: TEXT_OR_NULL,
  targets: STRINGS,
  pipeline_targets: arrayOf(closed({ pipeline: STRING, emit: STRING, correlation_id: STRING })),
  config: OBJECT,
  next_fire_at: TEXT_OR_NULL,
});
export type WireTrigger = TypeOf<typeof TRIGGER>;

/** `GET /triggers`. */
export const TRIGGERS = arrayOf(TRIGGER);

const REFUSED = closed({ code: STRING, detail: held('message', STRING) });

/** What came of each target; one that was refused says why, and the others run all the same. */
export const FIRED = closed({
  trigger: STRING,
  type: STRING,
  targets: arrayOf(
    closed({
      target: STRING,
      job_id: TEXT_OR_NULL,
      refused: { anyOf: [NULL, REFUSED] } as Schema<TypeOf<typeof REFUSED> | null, HeldOf<typeof REFUSED> | null>,
    }),
  ),
});
export type WireFired = TypeOf<typeof FIRED>;

/** The events of an application that a hook handed on. */
export const DELIVERED = closed({
  delivered: TRUE,
  trigger: STRING,
  source: STRING,
  signals: arrayOf(closed({ pipeline: STRING, correlation_id: STRING, event: STRING })),
});

/** What a hook answers: the run that it started, or the events that it handed on. */
export const HOOK_ANSWER: Schema<TypeOf<typeof JOB> | TypeOf<typeof DELIVERED>> = { anyOf: [JOB, DELIVERED] };
export type WireHookAnswer = TypeOf<typeof HOOK_ANSWER>;
