import type { Disposable } from '../disposable.js';
import type { Json, JsonObject } from '../json.js';

/**
 * A trigger in its canonical form, whichever form its file has (docs/design/workspace.md#triggers).
 */
export interface TriggerSpec {
  readonly id: string;
  /** `plugin` with `providerId`. */
  readonly type: 'cron' | 'webhook' | 'file_watch' | 'manual' | 'plugin';
  readonly providerId: string | null;
  readonly enabled: boolean;
  /** Topology names (`name` or `name@version`) and event targets. */
  readonly targets: readonly TriggerTarget[];
  /** `config` of the file; the inline forms are translated. */
  readonly config: JsonObject;
}

/** What a trigger fires: a run, or an event for the application's listener. */
export type TriggerTarget =
  | { readonly kind: 'topology'; readonly topology: string }
  | {
      readonly kind: 'event';
      readonly pipeline: string;
      readonly emit: string;
      /** JSONPath (RFC 9535) into the body; default `$.correlation_id`. */
      readonly correlationId: string;
    };

/** One firing as a trigger type hands it over. */
export interface Firing {
  readonly input: Json;
  /**
   * Names this occurrence for every server of the database (`2026-11-01T06:00:00Z` of a cron): the
   * first who takes it fires, all others do nothing. Null: every firing counts.
   */
  readonly occurrence: string | null;
}

/** What a started trigger may use. */
export interface TriggerContext {
  readonly triggerId: string;
  readonly workspaceRoot: string;
  /** Starts every target; resolves when all were accepted or refused, and never rejects. */
  readonly fire: (firing: Firing) => Promise<void>;
  /** Aborts when the trigger is to stop. */
  readonly signal: AbortSignal;
}

/** A delivery over HTTP, before anything of it was parsed. Header names are lower-case. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * `refused`: 401. `unavailable`: 503, the secret is not set. `once`: what tells this delivery from
 * every other one of the trigger; the same again within 24 hours answers the run that the first one
 * began. Absent: each delivery starts a run.
 */
export type DeliveryVerdict =
  | { readonly kind: 'verified'; readonly once?: string }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unavailable'; readonly detail: string };

/**
 * A type of trigger. `create` gets the trigger's `config` and throws KIT_PLUGIN_CONFIG_INVALID for
 * one that can never work. Triggers with equal configurations share an instance, so what belongs to
 * one trigger is kept in `start`. A trigger whose `ready` answers a reason is inactive: it is
 * listed with it, does not fire, and deliveries are refused with 503.
 */
export interface TriggerType extends Disposable {
  /**
   * Null = can start; else why not (a secret that is not set), in one sentence for operators
   * without a secret in it.
   */
  ready(place: Pick<TriggerContext, 'workspaceRoot'>): Promise<string | null>;
  /**
   * Listens until the signal aborts; resolves when it listens. A throw makes the trigger inactive.
   * Absent: nothing fires by itself.
   */
  start?(context: TriggerContext): Promise<void>;
  /** When it fires next by itself (ISO 8601); null = never. Absent: nobody can know. */
  nextFireAt?(): Promise<string | null>;
  /**
   * Checks a delivery to `/hooks/<name>`. Absent: the trigger declares no auth and stays behind the
   * key.
   */
  verify?(delivery: Delivery): Promise<DeliveryVerdict>;
}
