import type { StoredEvent } from '../domain/events.js';
import { own } from '../lib/own.js';
import type { AgentCall, AgentView, RunView } from './run-view.js';

const OWN = { writable: true, enumerable: true, configurable: true } as const;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** The parts of a view that grow with its run. */
type Part =
  | 'agents'
  | 'order'
  | 'usageByAgent'
  | 'usageByModel'
  | 'warnings'
  | 'executors'
  | 'attachments'
  | 'gates'
  | 'outages';

type Dictionary = 'agents' | 'usageByAgent' | 'usageByModel' | 'gates' | 'outages';

type Owned<P extends Part> = RunView[P] extends readonly (infer T)[]
  ? T[]
  : RunView[P] extends Readonly<Record<string, infer T>>
    ? Record<string, T>
    : never;

/**
 * A view while events are folded into it. Each growing part is copied once, when a first event
 * changes it, and written in place after that: a fold of n events costs n, where a copy for each
 * event costs n times the size of the run. The view that it began with stays as it was.
 */
export class RunDraft {
  readonly #view: Writable<RunView>;
  readonly #copied = new Set<Part>();
  /** Activations whose trail is a copy of this draft's. */
  #trails: Map<string, AgentCall[]> | undefined;

  constructor(view: RunView) {
    this.#view = { ...view };
  }

  /** The view as it stands; it changes with the draft. */
  get view(): RunView {
    return this.#view;
  }

  /** The run has come to this event. */
  reach({ jobId, seq, timestamp }: Pick<StoredEvent, 'jobId' | 'seq' | 'timestamp'>): void {
    this.#view.jobId = jobId;
    this.#view.lastSeq = seq;
    this.#view.lastAt = timestamp;
  }

  /** Writes members of a fixed size. */
  set(members: Partial<Omit<RunView, Part>>): void {
    Object.assign(this.#view, members);
  }

  /** A growing part, for writing. */
  part<P extends Part>(name: P): Owned<P> {
    if (!this.#copied.has(name)) {
      const value = this.#view[name];
      this.#view[name] = (Array.isArray(value) ? [...value] : { ...value }) as RunView[P];
      this.#copied.add(name);
    }
    return this.#view[name] as Owned<P>;
  }

  agent(activation: string | null): AgentView | undefined {
    return activation === null ? undefined : own(this.#view.agents, activation);
  }

  /** Changes an activation that is known; anything else changes nothing. */
  change(activation: string | null, update: (agent: AgentView) => AgentView): void {
    const agent = this.agent(activation);
    if (agent !== undefined) this.put('agents', agent.activation, update(agent));
  }

  /** Takes one entry of a dictionary away, where it is there. */
  drop(name: Dictionary, key: string): void {
    if (Object.hasOwn(this.#view[name], key)) delete this.part(name)[key];
  }

  /** Empties growing parts that a reader has no use for. */
  forget(...parts: readonly ('warnings' | 'executors' | 'gates' | 'outages')[]): void {
    for (const part of parts) {
      this.#view[part] = (part === 'gates' || part === 'outages' ? {} : []) as never;
      this.#copied.add(part);
    }
  }

  /** Sets one entry of a dictionary; its key may be any text of a workspace, `__proto__` too. */
  put<P extends Dictionary>(name: P, key: string, value: RunView[P][string]): void {
    const part = this.part(name);
    // Written plainly, this key would set the prototype.
    if (key === '__proto__') Object.defineProperty(part, key, { value, ...OWN });
    else (part as Record<string, unknown>)[key] = value;
  }

  /**
   * The trail of an activation with one more call; the trail of the view before stays as it was.
   */
  trailWith({ activation, trail }: AgentView, call: AgentCall): readonly AgentCall[] {
    this.#trails ??= new Map();
    const own = this.#trails.get(activation) ?? [...trail];
    this.#trails.set(activation, own);
    own.push(call);
    return own;
  }
}
