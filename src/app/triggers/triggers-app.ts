import type { ErrorCode } from '../../domain/error-registry.js';
import type { Job, Submitter } from '../../domain/job.js';
import type { Json } from '../../domain/json.js';
import type { HttpTier } from '../../domain/ports/http.js';
import type { Delivery, TriggerSpec } from '../../domain/ports/triggers.js';

/** One trigger as people see it. Text that is a known secret is masked. */
export interface TriggerReport extends Pick<TriggerSpec, 'id' | 'enabled' | 'config'> {
  readonly type: TriggerSpec['type'];
  /** Which contribution a `plugin` trigger names; else null. */
  readonly providerId: string | null;
  /** It can fire: it is enabled and nothing is missing. */
  readonly active: boolean;
  /** Why it is not active, as a sentence; null = it is. */
  readonly reason: string | null;
  readonly targets: readonly string[];
  readonly pipelineTargets: readonly {
    readonly pipeline: string;
    readonly emit: string;
    readonly correlationId: string;
  }[];
  /** ISO 8601; null = never, or nobody can know. */
  readonly nextFireAt: string | null;
}

/**
 * What came of one target. `refusal`: the code and sentence of why nothing was started; null =
 * accepted.
 */
export interface FiredTarget {
  /** Topology, or `<pipeline>:<event>`. */
  readonly target: string;
  readonly jobId: string | null;
  readonly refusal: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  } | null;
}

/** What came of one firing. */
export interface FiredTrigger {
  readonly trigger: string;
  readonly type: string;
  readonly targets: readonly FiredTarget[];
}

/** A delivery to `/hooks/<name>` as the server took it. */
export interface HookDelivery {
  readonly workspace: string;
  /** Name of a topology, or id of a trigger with event targets. */
  readonly name: string;
  readonly delivery: Delivery;
  /**
   * Who proved to be calling; null when nobody was asked, because the trigger verifies its
   * deliveries itself.
   */
  readonly caller: Submitter | null;
}

/** What a delivery came to: a run, or events for the application's listener. */
export type HookAnswer =
  | { readonly kind: 'run'; readonly job: Job }
  | {
      readonly kind: 'events';
      readonly trigger: string;
      /** `webhook:<trigger id>` */
      readonly source: string;
      readonly signals: readonly {
        readonly pipeline: string;
        readonly correlationId: string;
        readonly event: string;
      }[];
    };

/** What a person starts who fires a trigger from a command line. */
export interface TriggerPlan {
  readonly trigger: Pick<TriggerSpec, 'id'>;
  /** `here`: the command starts each run. `server`: `fire` starts all of them there at once. */
  readonly firedBy: 'here' | 'server';
  readonly topologies: readonly string[];
  /** Event targets, `<pipeline>:<event>`: only a server has a listener for them. */
  readonly events: readonly string[];
  readonly input: Json;
}

/**
 * Triggers of a workspace. Every use case throws KIT_WORKSPACE_NOT_FOUND and KIT_WORKSPACE_INVALID
 * like the others.
 */
export interface TriggersApp {
  /** In the order of their ids. */
  list(ask: { readonly workspace: string }): Promise<readonly TriggerReport[]>;
  /**
   * Throws KIT_TRIGGER_UNKNOWN, KIT_TRIGGER_DISABLED. Starts nothing. `input` undefined: what the
   * trigger would give.
   */
  plan(ask: { readonly workspace: string; readonly id: string; readonly input?: Json }): Promise<TriggerPlan>;
  /**
   * Fires one by hand on this server, whatever its type: every target at once. The person who asks
   * is the author of the runs, so that nobody may sign at a gate what they started themselves
   * (docs/design/decisions.md#submitter, `exclude_author`). Throws what `plan` throws, and what
   * refused the targets when all of them were refused.
   */
  fire(ask: {
    readonly workspace: string;
    readonly id: string;
    readonly by: Submitter;
    readonly input?: Json;
  }): Promise<FiredTrigger>;
  /** Audits what a person has started without a server, as `fire` does for what a server starts. */
  record(ask: {
    readonly workspace: string;
    readonly id: string;
    readonly by: string;
    readonly targets: readonly FiredTarget[];
  }): Promise<void>;
  /**
   * What `/hooks/<name>` asks of its caller: `public` only when every webhook that answers there
   * verifies its deliveries itself.
   */
  hookTier(ask: { readonly workspace: string; readonly name: string }): Promise<HttpTier>;
  /**
   * Takes a delivery. Throws KIT_SIGNATURE_INVALID, KIT_SECRET_MISSING, KIT_UNAUTHENTICATED;
   * KIT_TRIGGER_UNKNOWN where every trigger of the name is disabled, KIT_TOPOLOGY_UNKNOWN;
   * KIT_REQUEST_MALFORMED, KIT_APPROVAL_DENIED, KIT_NO_LISTENER, KIT_SIGNAL_FAILED for events; and
   * what submitting a run throws.
   */
  deliver(delivery: HookDelivery): Promise<HookAnswer>;
  /**
   * Starts every enabled trigger of the served workspace, and starts them anew after each reload.
   * One that cannot start is listed as inactive with its reason and logged: a server starts all the
   * same.
   */
  start(ask: { readonly workspace: string }): Promise<void>;
  /** Nothing fires any more; resolves when what was being fired has been submitted. Idempotent. */
  stop(): Promise<void>;
}
