import type { RunEvent } from '../domain/events.js';
import type { StepOutcome, StepRow } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { maskPayload } from '../govern/redaction/redact-event.js';
import { isoAt } from '../lib/iso-at.js';
import { eventIdsOf } from './derive.js';
import type { NewEvent } from './new-event.js';
import { countOf, EVENT_COUNT } from './step-ends.js';
import type { StepContext, StepEnd, StepsDeps } from './step-types.js';

type WriterDeps = Pick<StepsDeps, 'session' | 'now' | 'mask' | 'topologyId'>;

/**
 * One open step: numbers its events, masks what it stores, returns what decoding the stored bytes
 * gives.
 */
export class StepWriter implements StepContext {
  readonly row: StepRow;
  readonly #deps: WriterDeps;
  readonly #isEnteredAgain: boolean;
  #count: number;

  constructor(deps: WriterDeps, row: StepRow, isEnteredAgain = false) {
    this.#deps = deps;
    this.row = row;
    this.#isEnteredAgain = isEnteredAgain;
    this.#count = isEnteredAgain ? countOf(row) : 0;
  }

  /** Writes into an open row in which a claim before this one has written. */
  static again(deps: WriterDeps, row: StepRow): StepWriter {
    return new StepWriter(deps, row, true);
  }

  get key(): string {
    return this.row.key;
  }

  get stepId(): string {
    return this.row.stepId;
  }

  get attempt(): number {
    return this.row.attempt;
  }

  get notes(): Readonly<Record<string, Json>> {
    return this.#deps.session.get(this.row.key)?.notes ?? this.row.notes;
  }

  emit(event: NewEvent): Promise<void> {
    return this.note({}, [event]);
  }

  note(notes: Readonly<Record<string, Json>>, newEvents: readonly NewEvent[] = []): Promise<void> {
    const events = this.stamp(newEvents);
    // The next entry numbers its events behind these: one that has the id of another one is none.
    const counter = this.#isEnteredAgain && events.length > 0 ? { [EVENT_COUNT]: this.#count } : {};
    const counted = { ...this.#deps.mask(notes as Record<string, Json>), ...counter };
    return this.#deps.session.note({ op: 'step.noted', key: this.row.key, notes: counted, events });
  }

  /** Events with their ids, masked. */
  stamp(events: readonly NewEvent[]): readonly RunEvent[] {
    if (events.length === 0) return [];
    const { mask, topologyId, now } = this.#deps;
    const { key } = this.row;
    const timestamp = isoAt(now());
    // Not kept: of thousands of runs that wait each has several open steps.
    const idOf = eventIdsOf(this.row);
    return events.map(({ type, payload: plain, agentId, skillId }) => {
      const eventId = idOf(this.#count++);
      const payload = maskPayload(plain as unknown as JsonObject, mask);
      const event = { type, payload, agentId, skillId, eventId, timestamp, topologyId, stepKey: key };
      // A member of the union, which the compiler cannot see through its parts.
      return event as unknown as RunEvent;
    });
  }

  end<T extends Json>(end: StepEnd<T>): StepOutcome<T> {
    const stored = JSON.stringify(this.#deps.mask(end.outcome as unknown as Json));
    const outcome = JSON.parse(stored) as StepOutcome<T>;
    const usage = end.usage ?? null;
    const endedAt = isoAt(this.#deps.now());
    this.#deps.session.end({
      op: 'step.ended',
      key: this.row.key,
      outcome,
      outcomeText: stored,
      usage,
      units: this.row.units,
      endedAt,
      events: this.stamp(end.events ?? []),
    });
    return outcome;
  }
}
