/** What the pages about topologies, triggers, the fleet, usage and the log read of the HTTP API. */
import type { WireCanaryRoute } from '@kit-run/kit/wire';

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

export type {
  WireAuditRow as AuditRow,
  WireCanary as Canary,
  WireCanaryRoute as CanaryRoute,
  WireFleet as Fleet,
  WireUsageReport as UsageReport,
} from '@kit-run/kit/wire';

export type CanaryVersion = WireCanaryRoute['versions'][number];
