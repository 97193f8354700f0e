/** What the pages about topologies, triggers, the fleet, usage and the log read of the HTTP API. */

export interface TopologyRow {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
}

export interface ResolvedAgent {
  readonly id: string;
  readonly role: string;
  readonly source_archetype: string | null;
  readonly model: { readonly provider: string | null; readonly name: string | null } | null;
  readonly skills: readonly string[];
  readonly funnel: string | null;
  readonly depends_on?: readonly string[];
  readonly children?: readonly ResolvedAgent[];
}

export interface TopologyDetail {
  readonly id: string;
  readonly version: string | null;
  readonly description: string;
  readonly resolved: ResolvedAgent | null;
  /** Null: any text. */
  readonly input_schema: Readonly<Record<string, unknown>> | null;
}

export interface Trigger {
  readonly id: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly reason: string | null;
  readonly targets: readonly string[];
  readonly next_fire_at: string | null;
}

export interface Fired {
  readonly targets: readonly {
    readonly target: string;
    readonly job_id: string | null;
    readonly refused: { readonly detail: string } | null;
  }[];
}

/** One version of a split topology; rates are null before anything was counted. */
export interface CanaryVersion {
  readonly version: string;
  readonly weight: number;
  readonly metrics: { readonly total_runs: number; readonly error_rate: number | null };
  readonly promote_when: {
    readonly conditions: readonly {
      readonly name: string;
      readonly bound: number;
      readonly value: number | null;
      readonly met: boolean;
    }[];
  } | null;
}

export interface CanaryRoute {
  readonly topology: string;
  readonly override: boolean;
  readonly versions: readonly CanaryVersion[];
}

/** `GET /canary`; the newest changes of traffic first. */
export interface Canary {
  readonly routes: readonly CanaryRoute[];
  readonly promotions: readonly {
    readonly topology: string;
    readonly weights: Readonly<Record<string, number>>;
    readonly reason: 'promote' | 'rollback' | 'criteria';
    readonly by: string;
    readonly timestamp: string;
  }[];
}

export interface Fleet {
  readonly at: string;
  readonly queue: {
    readonly queued: number;
    readonly running: number;
    readonly oldest_queued_age_seconds: number | null;
    readonly queue_wait_p50_seconds: number | null;
    readonly execution_p50_seconds: number | null;
    readonly depth_by_topology: Readonly<Record<string, number>>;
  };
  readonly members:
    | readonly {
        readonly id: string;
        readonly kind: string;
        readonly hostname: string;
        readonly pid: number;
        readonly version: string;
        readonly job_class: string;
        readonly concurrency: number;
        readonly active: number;
        readonly silent_seconds: number;
        readonly alive: boolean;
      }[]
    | null;
  readonly runs: readonly {
    readonly id: string;
    readonly topology: string;
    readonly agent_id: string | null;
    readonly activity: string | null;
    readonly activity_label: string | null;
    readonly elapsed_seconds: number;
    readonly worker_id: string | null;
  }[];
  readonly runs_total: number;
  readonly waiting: readonly {
    readonly id: string;
    readonly kind: string;
    readonly role: string | null;
    readonly job_id: string;
    readonly topology: string;
    readonly age_seconds: number;
  }[];
  readonly waiting_total: number;
}

export interface UsageReport {
  readonly summary: {
    readonly total_calls: number;
    readonly total_input_tokens: number;
    readonly total_output_tokens: number;
    readonly total_cost_usd: number | null;
  };
  /** The one that was asked for. */
  readonly by_model?: readonly UsageShare[];
  readonly by_topology?: readonly UsageShare[];
  readonly by_day?: readonly UsageShare[];
}

/** Calls of a model, of a topology or of a day: it names the one that was asked for. */
export interface UsageShare {
  readonly model?: string;
  readonly topology?: string;
  readonly day?: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

export interface AuditRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly run_id: string;
  readonly topology_id: string;
  readonly agent_id: string | null;
  readonly policy_decision: string | null;
  readonly policy_reason: string | null;
  readonly error: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}
