/** What the pages about topologies, triggers, the fleet, usage and the log read of the HTTP API. */
import type { WireCanaryRoute } from '@kit-run/kit/wire';

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
  WireArtifactRow as TopologyRow,
  WireAuditRow as AuditRow,
  WireCanary as Canary,
  WireCanaryRoute as CanaryRoute,
  WireFleet as Fleet,
  WireResolvedAgent as ResolvedAgent,
  WireTopology as TopologyDetail,
  WireUsageReport as UsageReport,
} from '@kit-run/kit/wire';

export type CanaryVersion = WireCanaryRoute['versions'][number];
