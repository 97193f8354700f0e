import { KitError } from '../domain/errors.js';
import type { RunEvent } from '../domain/events.js';
import type { Usage } from '../domain/job.js';
import type { Effects, OnInDoubt, StepKind, StepOutcome, StepRow } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import { maskPayload } from '../govern/redaction/redact-event.js';
import { eventIdOf, identityDigest, stepIdOf } from './derive.js';
import { type EventDraft, stampEvent } from './draft.js';
import type { JournalSession } from './journal-session.js';
import { Unfinished } from './unfinished.js';

/** A governance limit that the next step would break. */
export interface Breach {
  readonly limit: string;
  readonly limitValue: number;
  /** null: the cost so far is not known. */
  readonly actual: number | null;
}

export interface StepsDeps {
  readonly jobId: string;
  readonly topologyId: string;
  readonly session: JournalSession;
  readonly now: () => number;
  /** Aborts when the task scope ends early. */
  readonly signal: AbortSignal;
  /** Replaces secret values before a result is stored and before the interpreter sees it (journal.md 9.1). */
  readonly mask: <T extends Json>(value: T) => T;
  /** Would `units` more steps of this agent break a limit? A fold over the rows. */
  readonly breach: (request: { readonly agentId: string | null; readonly units: number; readonly rows: Iterable<StepRow> }) => Breach | null;
  /** `forbid`: a replay check; a step that would have to run waits for the end of the scope instead. */
  readonly effects: 'allow' | 'forbid';
}

export interface StepSpec {
  /** Path of call sites (journal.md 1.4). */
  readonly key: string;
  readonly kind: StepKind;
  /** What is called with which arguments; not the wording of a prompt. */
  readonly identity: Json;
  readonly effects: Effects;
  readonly onInDoubt: OnInDoubt;
  readonly agentId: string | null;
  /** Units of the step budget to reserve. */
  readonly units: number;
  /** Asked when the step is about to run, live, and recorded with the outcome (journal.md 4.3). */
  readonly authorize?: () => Promise<Decision>;
  readonly onDenied?: (decision: Extract<Decision, { verdict: 'deny' | 'ask' }>) => readonly EventDraft[];
  readonly startEvents?: readonly EventDraft[];
}

export interface StepContext {
  readonly stepId: string;
  readonly attempt: number;
  /** What an earlier attempt noted. */
  readonly notes: Readonly<Record<string, Json>>;
  /** Records an event inside the step; resolves when it is durable. */
  emit(draft: EventDraft): Promise<void>;
  /** Records facts that a takeover needs, with an optional event. */
  note(notes: Readonly<Record<string, Json>>, drafts?: readonly EventDraft[]): Promise<void>;
}

/** What `fn` hands back: recorded whole, in one commit. */
export interface StepEnd<T extends Json> {
  readonly outcome: StepOutcome<T>;
  readonly usage?: Usage | null;
  readonly events?: readonly EventDraft[];
}

interface StartOf {
  readonly spec: StepSpec;
  readonly identity: string;
  readonly earlier: StepRow | undefined;
  readonly notes: Readonly<Record<string, Json>>;
  readonly repeated: boolean;
}

type StepFn<T extends Json> = (context: StepContext) => Promise<StepEnd<T>>;

/**
 * `step(key, kind, fn)` of journal.md: the recorded result if there is one; else `started` is durable, `fn` runs, the
 * result is recorded, and what decoding the record gives is returned. There is no second code path for a resume.
 */
export class Steps {
  readonly deps: StepsDeps;

  constructor(deps: StepsDeps) {
    this.deps = deps;
  }

  /** The row of a key, to look before asking anything of the outside. */
  rowOf(key: string): StepRow | undefined {
    return this.deps.session.get(key);
  }

  /** A leaf with an effect. In doubt after a crash, it is repeated and reported, or answered `in_doubt`. */
  async run<T extends Json>(spec: StepSpec, fn: StepFn<T>): Promise<StepOutcome<T>> {
    const identity = identityDigest(spec.kind, spec.identity);
    const row = this.#rowFor(spec, identity);
    if (row?.outcome != null) return row.outcome as StepOutcome<T>;
    await this.#admit();
    if (row !== undefined && answersInDoubt(spec)) return this.#refuseInDoubt(spec, row);
    const decision = spec.authorize === undefined ? null : await spec.authorize();
    if (decision !== null && decision.verdict !== 'allow') return this.#refuse(spec, identity, deniedEnd(spec, decision), row);
    // After the last await and before the row: two steps that run side by side cannot both take the last unit.
    const breach = row === undefined ? this.deps.breach({ agentId: spec.agentId, units: spec.units, rows: this.deps.session.all() }) : null;
    if (breach !== null) return this.#refuse(spec, identity, breachEnd(spec, breach));
    if (this.deps.signal.aborted) throw new Unfinished('abort');
    const writer = this.#start({ spec, identity, earlier: row, notes: decision === null ? {} : { decision }, repeated: row !== undefined });
    await this.deps.session.flush();
    return this.#finish(spec, writer, fn);
  }

  /**
   * A step that only holds other steps (an activation, a skill made of model calls). Entering it again after a crash is
   * not a repetition: nothing of its own happened outside.
   */
  async scope<T extends Json>(spec: StepSpec, fn: StepFn<T>): Promise<StepOutcome<T>> {
    const identity = identityDigest(spec.kind, spec.identity);
    const row = this.#rowFor(spec, identity);
    if (row?.outcome != null) return row.outcome as StepOutcome<T>;
    await this.#admit();
    if (row !== undefined) return this.#finish(spec, new StepWriter(this.deps, row, countOf(row)), fn);
    const decision = spec.authorize === undefined ? null : await spec.authorize();
    if (decision !== null && decision.verdict !== 'allow') return this.#refuse(spec, identity, deniedEnd(spec, decision));
    const notes = decision === null ? {} : { decision };
    return this.#finish(spec, this.#start({ spec, identity, earlier: undefined, notes, repeated: false }), fn);
  }

  /** A call that is answered without being carried out (a limit, an unknown tool): one row, no effect. */
  async answer<T extends Json>(spec: StepSpec, end: () => StepEnd<T>): Promise<StepOutcome<T>> {
    const identity = identityDigest(spec.kind, spec.identity);
    const row = this.#rowFor(spec, identity);
    if (row?.outcome != null) return row.outcome as StepOutcome<T>;
    await this.#admit();
    return this.#refuse(spec, identity, end(), row);
  }

  #rowFor(spec: StepSpec, identity: string): StepRow | undefined {
    const row = this.deps.session.get(spec.key);
    if (row !== undefined && (row.kind !== spec.kind || row.identity !== identity)) {
      throw new KitError(
        'KIT_JOURNAL_DIVERGED',
        `the journal holds ${row.kind} at ${spec.key}, but this build would make another ${spec.kind} call there`,
        {
          data: { key: spec.key, recorded: row.identity, current: identity },
        },
      );
    }
    return row;
  }

  /** Nothing new starts in an aborted scope, nor in a replay check. */
  async #admit(): Promise<void> {
    const { signal, effects } = this.deps;
    if (effects === 'forbid' && !signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (signal.aborted) throw new Unfinished('abort');
  }

  #start(start: StartOf): StepWriter {
    const { spec, identity, earlier } = start;
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
      notes: { ...earlier?.notes, ...start.notes },
      usage: null,
      units: spec.units,
      agentId: spec.agentId,
      startedAt: new Date(this.deps.now()).toISOString(),
      endedAt: null,
    };
    const writer = new StepWriter(this.deps, row, 0);
    const repeated: readonly EventDraft[] = start.repeated ? [repeatedEvent(spec, row)] : [];
    this.deps.session.start({ op: 'step.started', row, events: writer.stamp([...repeated, ...(spec.startEvents ?? [])]) });
    return writer;
  }

  async #finish<T extends Json>(spec: StepSpec, writer: StepWriter, fn: StepFn<T>): Promise<StepOutcome<T>> {
    const end = await fn(writer);
    const costBreach = end.usage == null ? null : this.#costBreach(spec, writer, end.usage);
    return writer.end(
      costBreach === null
        ? end
        : {
            ...breachEnd(spec, costBreach),
            usage: end.usage ?? null,
            events: [...(end.events ?? []), ...(breachEnd(spec, costBreach).events ?? [])],
          },
    );
  }

  /** Cost is checked again after each usage record (execution.md 3.5): a breach is the outcome of the step that made it. */
  #costBreach(spec: StepSpec, writer: StepWriter, usage: Usage): Breach | null {
    const rows = [...this.deps.session.all()].map((row) =>
      row.key === spec.key ? { ...writer.row, usage, outcome: { status: 'ok', value: null } as const } : row,
    );
    const breach = this.deps.breach({ agentId: spec.agentId, units: 0, rows });
    return breach !== null && breach.limit === 'max_cost_per_run_usd' ? breach : null;
  }

  #refuse<T extends Json>(spec: StepSpec, identity: string, end: StepEnd<T>, earlier?: StepRow): StepOutcome<T> {
    const writer = this.#start({ spec: { ...spec, units: 0, startEvents: [] }, identity, earlier, notes: {}, repeated: false });
    return writer.end(end);
  }

  #refuseInDoubt<T extends Json>(spec: StepSpec, row: StepRow): StepOutcome<T> {
    const writer = new StepWriter(this.deps, { ...row, attempt: row.attempt + 1 }, 0);
    const action = spec.onInDoubt === 'fail' ? 'fail' : 'ask';
    return writer.end({
      outcome: { status: 'failed', reason: 'in_doubt', message: 'the process died while this was under way; whether it took effect is not known' },
      events: [
        {
          type: 'step.in_doubt',
          agentId: spec.agentId,
          skillId: null,
          payload: { key: spec.key, kind: spec.kind, step_id: row.stepId, effects: row.effects, action },
        },
      ],
    });
  }
}

/** One open step: numbers its events, masks what it stores, returns what decoding the stored bytes gives. */
class StepWriter implements StepContext {
  readonly row: StepRow;
  readonly #deps: StepsDeps;
  #count: number;

  constructor(deps: StepsDeps, row: StepRow, count: number) {
    this.#deps = deps;
    this.row = row;
    this.#count = count;
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

  emit(draft: EventDraft): Promise<void> {
    return this.note({}, [draft]);
  }

  note(notes: Readonly<Record<string, Json>>, drafts: readonly EventDraft[] = []): Promise<void> {
    const counted = { ...this.#deps.mask(notes as Record<string, Json>) };
    return this.#deps.session.note({ op: 'step.noted', key: this.row.key, notes: counted, events: this.stamp(drafts) });
  }

  stamp(drafts: readonly EventDraft[]): readonly RunEvent[] {
    const timestamp = new Date(this.#deps.now()).toISOString();
    return drafts.map((draft) => {
      const eventId = eventIdOf({ jobId: this.row.jobId, key: this.row.key, attempt: this.row.attempt, index: this.#count++ });
      const payload = maskPayload({ ...draft.payload } as unknown as JsonObject, this.#deps.mask);
      return stampEvent({ ...draft, payload } as unknown as EventDraft, {
        eventId,
        timestamp,
        topologyId: this.#deps.topologyId,
        stepKey: this.row.key,
      });
    });
  }

  end<T extends Json>(end: StepEnd<T>): StepOutcome<T> {
    const stored = JSON.stringify(this.#deps.mask(end.outcome as unknown as Json));
    const outcome = JSON.parse(stored) as StepOutcome<T>;
    const usage = end.usage ?? null;
    const endedAt = new Date(this.#deps.now()).toISOString();
    this.#deps.session.end({
      op: 'step.ended',
      key: this.row.key,
      outcome,
      usage,
      units: this.row.units,
      endedAt,
      events: this.stamp(end.events ?? []),
    });
    return outcome;
  }
}

/** A scope entered again numbers its events after those that its first entry can have written. */
const countOf = (row: StepRow): number => (row.outcome === null ? 1000 * row.attempt : 0);

function answersInDoubt(spec: StepSpec): boolean {
  return spec.onInDoubt !== 'repeat' || spec.effects === 'destructive';
}

function repeatedEvent(spec: StepSpec, row: StepRow): EventDraft {
  const lost = row.notes.lost;
  return {
    type: 'step.repeated',
    agentId: spec.agentId,
    skillId: null,
    payload: {
      key: row.key,
      kind: row.kind,
      step_id: row.stepId,
      effects: row.effects,
      attempt: row.attempt,
      lost: typeof lost === 'string' ? lost : null,
    },
  };
}

function breachEnd(spec: StepSpec, breach: Breach): StepEnd<never> {
  return {
    outcome: {
      status: 'failed',
      reason: `limit.${breach.limit}`,
      message: `${breach.limit} is ${breach.limitValue}, ${breach.actual === null ? 'and the cost so far is not known' : `this would be ${breach.actual}`}`,
      data: { limit: breach.limit, limit_value: breach.limitValue, actual: breach.actual },
    },
    events: [
      {
        type: 'limit.breached',
        agentId: spec.agentId,
        skillId: null,
        payload: { limit: breach.limit, limit_value: breach.limitValue, actual: breach.actual },
      },
    ],
  };
}

function deniedEnd(spec: StepSpec, decision: Extract<Decision, { verdict: 'deny' | 'ask' }>): StepEnd<never> {
  const needs = decision.verdict === 'deny' ? decision.needs : [];
  return {
    outcome: { status: 'failed', reason: 'denied', message: decision.reason, data: { needs } },
    events: spec.onDenied?.(decision) ?? [],
  };
}
