import { isKitError, KitError } from '../domain/errors.js';
import type { Usage } from '../domain/job.js';
import type { StepOutcome, StepRow } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import { isoAt } from '../lib/iso-at.js';
import { onceKnown, type Soon } from '../lib/soon.js';
import { identityDigest, stepIdOf } from './derive.js';
import type { NewEvent } from './new-event.js';
import { isNotDone, notesOnStart } from './outage.js';
import { isParked, type Parked } from './park.js';
import { answersInDoubt, breachEnd, deniedEnd, inDoubtEvent, repeatedEvent, thrownEnd } from './step-ends.js';
import { askWhoDecides, decisionNote, entryOf, NO_NOTES } from './step-entry.js';
import { StepFailure } from './step-failure.js';
import type { Breach, Opening, PeopleStep, StartOf, StepContext, StepEnd, StepSpec, StepsDeps } from './step-types.js';
import { StepWriter } from './step-writer.js';
import { cutOffBy, Unfinished } from './unfinished.js';

export type StepFn<E> = (context: StepContext) => Promise<E>;

/**
 * The steps of a run (docs/design/journal.md#steps): the recorded result if there is one; else
 * `started` is durable, `fn` runs, the result is recorded, and what decoding the record gives is
 * returned. There is no second code path for a resume.
 */
export class Steps {
  readonly deps: StepsDeps;

  constructor(deps: StepsDeps) {
    this.deps = deps;
  }

  /** By the clock that rows and events are told by (docs/design/journal.md#one-clock). */
  readonly now = (): number => this.deps.now();

  /** The row of a key, to look before asking anything of the outside. */
  rowOf(key: string): StepRow | undefined {
    return this.deps.session.get(key);
  }

  /**
   * Asks who decides about a step that has no row yet, for whom the answer may be a question to
   * people. Waits, and ends, as a step would: nothing is asked in a replay check.
   */
  decide(authorize: NonNullable<StepSpec['authorize']>): Soon<Decision> {
    return onceKnown(this.admit(), () => askWhoDecides(authorize, this.deps.signal));
  }

  /**
   * A leaf with an effect. In doubt after a crash, it is repeated and reported, or answered
   * `in_doubt`.
   */
  async run<T extends Json>(spec: StepSpec, fn: StepFn<StepEnd<T>>): Promise<StepOutcome<T>> {
    const opening = this.#open(spec);
    const { row } = opening;
    if (row?.outcome != null) return row.outcome as StepOutcome<T>;
    const waits = this.admit();
    if (waits !== null) await waits;
    if (row !== undefined && answersInDoubt(spec, row)) return this.#refuseInDoubt(spec, row);
    const asked = this.#decisionOn(spec);
    const decision = asked instanceof Promise ? await asked : asked;
    if (decision !== null && decision.verdict !== 'allow') {
      const denied = deniedEnd(spec, decision);
      const doubt = row === undefined || isNotDone(row) ? [] : [inDoubtEvent(spec, row)];
      return this.#refuse(opening, { ...denied, events: [...doubt, ...(denied.events ?? [])] });
    }
    // After the last await and before the row: two steps that run side by side cannot both take the
    // last unit.
    const breach =
      row === undefined
        ? this.deps.breach({ agentId: spec.agentId, units: spec.units, spent: this.deps.session.spent })
        : null;
    if (breach !== null) return this.#refuse(opening, breachEnd(spec, breach));
    const writer = this.#start(opening, {
      notes: decisionNote(decision),
      repeated: row !== undefined && !isNotDone(row),
      allowedEvents: spec.onAllowed?.() ?? [],
    });
    await this.deps.session.flush();
    let end: StepEnd<T>;
    try {
      // The scope may have ended while the row was being written: then nothing of the step has
      // begun outside.
      if (this.deps.signal.aborted) throw new Unfinished('abort');
      end = await fn(writer);
    } catch (error) {
      end = this.#endOf(error, writer);
    }
    return this.#record(spec.agentId, writer, end);
  }

  /**
   * A step that only holds other steps (an activation, a skill made of model calls). Entering it
   * again after a crash is not a repetition: nothing of its own happened outside. Whether it may go
   * on is asked anew (docs/design/journal.md#live). What is parked inside leaves it open.
   */
  scope<T extends Json>(spec: StepSpec, fn: StepFn<StepEnd<T> | Parked>): Promise<StepOutcome<T> | Parked> {
    const opening = this.#open(spec);
    if (opening.row?.outcome != null) return Promise.resolve(opening.row.outcome as StepOutcome<T>);
    const decided = onceKnown(this.admit(), () => this.#decisionOn(spec));
    return onceKnown(decided, (decision) => this.#enter(opening, decision, fn));
  }

  #enter<T extends Json>(
    opening: Opening,
    decision: Decision | null,
    fn: StepFn<StepEnd<T> | Parked>,
  ): Promise<StepOutcome<T> | Parked> {
    const { spec, row } = opening;
    const denied = decision === null || decision.verdict === 'allow' ? null : deniedEnd(spec, decision);
    if (row !== undefined) {
      const writer = StepWriter.again(this.deps, row);
      return denied === null ? this.#finish(spec.agentId, writer, fn) : Promise.resolve(writer.end(denied));
    }
    if (denied !== null) return Promise.resolve(this.#refuse(opening, denied));
    const writer = this.#start(opening, { notes: decisionNote(decision), allowedEvents: spec.onAllowed?.() ?? [] });
    return this.#finish(spec.agentId, writer, fn);
  }

  /**
   * A step that people settle. Its question is durable with its row; while nobody has answered, the
   * row stays open and the step is parked. Entering it again is not a repetition, and says nothing:
   * it looks whether there is an answer.
   */
  async ask<T extends Json>(spec: StepSpec, people: PeopleStep<T>): Promise<StepOutcome<T> | Parked> {
    const opening = this.#open(spec);
    const { row } = opening;
    if (row?.outcome != null) return row.outcome as StepOutcome<T>;
    const waits = this.admit();
    if (waits !== null) await waits;
    let writer = row === undefined ? null : StepWriter.again(this.deps, row);
    if (writer === null) {
      const opened = await people.open();
      if (this.deps.signal.aborted) throw new Unfinished('abort');
      if ('parked' in opened) return opened;
      if ('outcome' in opened) return this.#refuse(opening, opened);
      writer = this.#start(opening, opened);
      await this.deps.session.flush();
    }
    return this.#finish(spec.agentId, writer, () => people.settle());
  }

  /**
   * A call that is answered without being carried out (a limit, an unknown tool): one row, no
   * effect.
   */
  async answer<T extends Json>(spec: StepSpec, end: () => StepEnd<T>): Promise<StepOutcome<T>> {
    const opening = this.#open(spec);
    if (opening.row?.outcome != null) return opening.row.outcome as StepOutcome<T>;
    const waits = this.admit();
    if (waits !== null) await waits;
    return this.#refuse(opening, end());
  }

  /** Throws KIT_JOURNAL_DIVERGED. */
  #open(spec: StepSpec): Opening {
    const identity = identityDigest(spec.kind, spec.identity);
    const row = this.deps.session.get(spec.key);
    if (row !== undefined && (row.kind !== spec.kind || row.identity !== identity)) {
      throw new KitError(
        'KIT_JOURNAL_DIVERGED',
        `the journal holds ${row.kind} at ${spec.key}, but this build would make another ${spec.kind} call there`,
        { data: { key: spec.key, recorded: row.identity, current: identity } },
      );
    }
    return { spec, identity, row };
  }

  /** As `entryOf`. */
  admit(): Promise<void> | null {
    return entryOf(this.deps);
  }

  #start({ spec, identity, row: earlier }: Opening, start: StartOf = {}): StepWriter {
    const { notes = NO_NOTES, repeated = false, allowedEvents = [] } = start;
    const attempt = (earlier?.attempt ?? 0) + 1;
    const row: StepRow = {
      jobId: this.deps.jobId,
      key: spec.key,
      kind: spec.kind,
      identity,
      effects: spec.effects,
      onInDoubt: spec.onInDoubt,
      attempt,
      stepId: stepIdOf(this.deps.jobId, spec.key),
      outcome: null,
      notes: earlier === undefined ? notes : { ...notesOnStart(earlier), ...notes },
      usage: null,
      units: spec.units,
      agentId: spec.agentId,
      startedAt: isoAt(this.deps.now()),
      endedAt: null,
    };
    const writer = new StepWriter(this.deps, row);
    const again: readonly NewEvent[] = repeated ? [repeatedEvent(spec, row)] : [];
    const { events: asking = [], ...question } = start.question ?? {};
    this.deps.session.start({
      op: 'step.started',
      row,
      events: writer.stamp([...again, ...(spec.startEvents ?? []), ...allowedEvents, ...asking]),
      ...question,
    });
    return writer;
  }

  /** Null: nobody does. */
  #decisionOn({ authorize }: StepSpec): Soon<Decision | null> {
    return authorize === undefined ? null : askWhoDecides(authorize, this.deps.signal);
  }

  /**
   * What is parked inside leaves the row open. It waits for as long as `fn` takes, with a thousand
   * runs beside it: nothing of the spec but the agent is held meanwhile.
   */
  async #finish<T extends Json>(
    agentId: string | null,
    writer: StepWriter,
    fn: StepFn<StepEnd<T> | Parked>,
  ): Promise<StepOutcome<T> | Parked> {
    let end: StepEnd<T> | Parked;
    try {
      end = await fn(writer);
    } catch (error) {
      end = this.#endOf(error, writer);
    }
    return isParked(end) ? end : this.#record(agentId, writer, end);
  }

  #record<T extends Json>(agentId: string | null, writer: StepWriter, end: StepEnd<T>): StepOutcome<T> {
    const costBreach = end.usage == null ? null : this.#costBreach(agentId, end.usage);
    if (costBreach === null) return writer.end(end);
    const breach = breachEnd({ agentId }, costBreach);
    const events = [...(end.events ?? []), ...(breach.events ?? [])];
    // A failure of its own keeps its reason: it is why the step failed, and no later step starts
    // either.
    return writer.end({
      outcome: end.outcome.status === 'failed' ? end.outcome : breach.outcome,
      usage: end.usage ?? null,
      events,
    });
  }

  /**
   * Only stop, abort, a lost lease and a divergence leave a step without a result
   * (docs/design/journal.md#outcomes): they are thrown on.
   */
  #endOf(error: unknown, writer: StepWriter): StepEnd<never> {
    const cut = cutOffBy(error, this.deps);
    if (cut !== null) return thrownEnd(cut);
    if (error instanceof Unfinished || (isKitError(error) && error.code === 'KIT_JOURNAL_DIVERGED')) throw error;
    if (this.deps.signal.aborted) throw new Unfinished('abort');
    if (!(error instanceof StepFailure)) this.deps.onThrown?.(writer.row.key, error);
    return thrownEnd(error);
  }

  /**
   * Cost is checked again after each usage record (docs/design/execution.md#limits): a breach is
   * the outcome of the step that made it.
   */
  #costBreach(agentId: string | null, usage: Usage): Breach | null {
    const spent = this.deps.session.spent.after(usage);
    const breach = this.deps.breach({ agentId, units: 0, spent });
    return breach !== null && breach.limit === 'max_cost_per_run_usd' ? breach : null;
  }

  #refuse<T extends Json>(opening: Opening, end: StepEnd<T>): StepOutcome<T> {
    const spec = { ...opening.spec, units: opening.row?.units ?? 0, startEvents: [] };
    return this.#start({ ...opening, spec }).end(end);
  }

  #refuseInDoubt<T extends Json>(spec: StepSpec, row: StepRow): StepOutcome<T> {
    const writer = new StepWriter(this.deps, { ...row, attempt: row.attempt + 1 });
    return writer.end({
      outcome: {
        status: 'failed',
        reason: 'in_doubt',
        message: 'the process died while this was under way; whether it took effect is not known',
      },
      events: [inDoubtEvent(spec, row)],
    });
  }
}
