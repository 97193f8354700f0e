import { ABORTED, raceAbort } from '../race-abort.js';
import { Unfinished } from '../unfinished.js';
import { compareKeys } from './compare-keys.js';

interface Place {
  readonly agentId: string;
  /** Key of the activation. */
  readonly key: string;
}

/**
 * Activations of one gated agent take turns at its gate (docs/design/journal.md#gate-rounds), in
 * call order: which of two parallel ones opens the first round does not depend on which draft was
 * ready first. One pass of the interpreter has one of these. Nobody waits for a later call site, so
 * nobody waits in a circle; what is waited for is an agent at work, never a person.
 */
export class GateOrder {
  /** Most runs have no gate. */
  #rows: Map<string, Map<string, Promise<unknown>>> | undefined;
  #gates: Map<string, Promise<unknown>> | undefined;

  get #running(): Map<string, Map<string, Promise<unknown>>> {
    this.#rows ??= new Map();
    return this.#rows;
  }

  get #opening(): Map<string, Promise<unknown>> {
    this.#gates ??= new Map();
    return this.#gates;
  }

  /**
   * Runs an activation; it is in the row of its agent until it has come to a result or to a park.
   */
  during<T>(place: Place, run: () => Promise<T>): Promise<T> {
    const row = this.#running.get(place.agentId) ?? new Map<string, Promise<unknown>>();
    this.#running.set(place.agentId, row);
    const running = run().finally(() => row.delete(place.key));
    row.set(
      place.key,
      running.catch(() => undefined),
    );
    return running;
  }

  /**
   * Waits until no activation of an earlier call site runs, then lets one at a time look at the
   * gate and open it. Throws Unfinished when the scope ends.
   */
  async take<T>(place: Place, signal: AbortSignal, open: () => Promise<T>): Promise<T> {
    for (;;) {
      const earlier = [...(this.#running.get(place.agentId) ?? [])].find(
        ([key]) => compareKeys(key, place.key) < 0,
      )?.[1];
      const before = earlier ?? this.#opening.get(place.agentId);
      if (before === undefined) break;
      if ((await raceAbort(before, signal)) === ABORTED) throw new Unfinished('abort');
    }
    const opening = open().finally(() => this.#opening.delete(place.agentId));
    this.#opening.set(
      place.agentId,
      opening.catch(() => undefined),
    );
    return opening;
  }
}
