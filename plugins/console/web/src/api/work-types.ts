/** What the pages about topologies, triggers, the fleet, usage and the log read of the HTTP API. */
import type { WireCanaryRoute } from '@kit-run/kit/wire';

export type {
  WireArtifactRow as TopologyRow,
  WireAuditRow as AuditRow,
  WireCanary as Canary,
  WireCanaryRoute as CanaryRoute,
  WireFired as Fired,
  WireFleet as Fleet,
  WireResolvedAgent as ResolvedAgent,
  WireTopology as TopologyDetail,
  WireTrigger as Trigger,
  WireUsageReport as UsageReport,
} from '@kit-run/kit/wire';

export type CanaryVersion = WireCanaryRoute['versions'][number];
