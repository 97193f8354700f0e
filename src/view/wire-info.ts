import type { AuditLag } from '../domain/ports/audit.js';
import type { UsageKey } from '../domain/ports/usage.js';
import type { CanaryReport } from './canary-report.js';
import type { ComprehensionReport } from './comprehension.js';
import type { UsageReport, UsageSummary } from './model-usage.js';
import type { WireCanary } from './schemas/canary.js';
import type {
  WireComprehension,
  WireGrowth,
  WireLag,
  WireStorage,
  WireSystem,
  WireUsageReport,
  WireUsageSummary,
} from './schemas/info.js';
import type { WireSpan } from './schemas/span.js';
import type { WireDeclaration, WireReachability, WireVerification } from './schemas/workspace.js';
import type { GrowthReport, StorageReport } from './storage-report.js';
import type { SystemReport } from './system-report.js';
import type { Span } from './trace-spans.js';
import type { ReachabilityEntry, ReachabilityReport, VerificationEntry } from './validation-report.js';

/** How far the copy of the log is behind. */
export const toWireLag = ({ events, seconds, error }: AuditLag): WireLag => ({
  behind_events: events,
  behind_seconds: seconds,
  error,
});

/** Where stores lie and how that of the runs grows, as every door shows it. */
export const toWireStorage = ({ stores, audit, warnings }: StorageReport, growth: GrowthReport): WireStorage => ({
  stores: stores.map(({ store, backend, location, source, setting, error }) => ({
    store,
    backend,
    location,
    source,
    setting,
    error,
  })),
  audit_copy: audit === null ? null : toWireLag(audit),
  warnings,
  growth: toWireGrowth(growth),
});

/** What is not known, because nothing was run there or the store cannot be asked, is null. */
function toWireGrowth({ retention, pruneEveryHours, store }: GrowthReport): WireGrowth {
  const known = store.kind === 'known' ? store : null;
  return {
    retention_days: retention.days,
    decided_by: retention.source,
    prune_every_hours: pruneEveryHours,
    database_bytes: known?.bytes ?? null,
    oldest_run: known?.oldestRun ?? null,
    due: known === null ? null : { runs: known.due.runs, more: known.due.isMore, bytes: known.due.bytes },
    error: store.kind === 'unknown' ? store.error : null,
  };
}

/** The page of a system as every door shows it. There is no web page, so its version is null. */
export const toWireSystem = (report: SystemReport): WireSystem => ({
  workspace: report.workspace?.id ?? null,
  workspace_name: report.workspace?.name ?? null,
  valid: report.workspace !== null,
  root: report.root,
  role: report.role,
  runtime_version: report.version,
  schema_version: report.schemaVersion,
  node_version: report.nodeVersion,
  webui_version: null,
  storage: toWireStorage(report.storage, report.growth),
  properties: report.properties.map(({ name, value, isSensitive }) => ({ name, value, sensitive: isSensitive })),
  environment: report.environment.map(({ name, group, description, isSet, value, isSensitive }) => ({
    name,
    group,
    description,
    set: isSet,
    value,
    sensitive: isSensitive,
  })),
  plugins: report.plugins.map(({ contributions, ...plugin }) => ({ ...plugin, contributions })),
  launches: report.launches.map(({ kind, id, argv }) => ({ kind, id, argv })),
  knowledge_bases: report.knowledgeBases.map(({ id, path, include }) => ({ id, path, include })),
});

/** What is wired, as every door shows it. */
export const toWireReachability = ({ ok, reachable, unreachable, orphans }: ReachabilityReport): WireReachability => ({
  ok,
  reachable: reachable.map(toWireEntry),
  unreachable: [...unreachable, ...orphans].map(toWireEntry),
});

const toWireEntry = ({ declaredOn, ...entry }: ReachabilityEntry): WireDeclaration => ({
  ...entry,
  declared_on: declaredOn,
});

/** What is checked, as every door shows it; `strength` counts the wired layers. */
export function toWireVerification(agents: readonly VerificationEntry[]): WireVerification {
  const unverified = agents.filter(({ isRoot, verified }) => isRoot && !verified);
  return {
    ok: unverified.length === 0,
    agents: agents.map(({ topology, agent, isRoot, funnel, ...entry }) => ({
      topology_id: topology,
      agent_id: agent,
      is_root: isRoot,
      funnel_id: funnel,
      ...entry,
      strength: entry.layers.length,
    })),
    unverified_roots: unverified.map(({ topology, agent }) => `nothing checks what ${agent} of ${topology} answers`),
  };
}

/** How fast people approve, as every door shows it. */
export const toWireComprehension = (report: ComprehensionReport): WireComprehension => ({
  verdict: report.verdict,
  since: report.since,
  threshold_seconds: report.thresholdSeconds,
  approvals_seen: report.approvalsSeen,
  fast_approvals: report.fastApprovals.map(({ gateId, runId, latencyMs, approvers, timestamp }) => ({
    gate_id: gateId,
    run_id: runId,
    latency_seconds: latencyMs / 1000,
    distinct_approvers: approvers.length,
    timestamp,
  })),
  deferred: report.deferred,
});

/** What calls can be summed by, as people and clients name it. */
export const USAGE_KEYS = ['model', 'topology', 'day'] as const satisfies readonly UsageKey[];

/** Usage together, as every door shows it. */
export const toWireUsageSummary = (summary: UsageSummary): WireUsageSummary => ({
  total_calls: summary.calls,
  total_input_tokens: summary.inputTokens,
  total_output_tokens: summary.outputTokens,
  total_cache_tokens: summary.cachedInputTokens,
  total_cost_usd: summary.costUsd,
});

/** Usage by model, topology or day, as every door shows it: `by_day: [{ day, calls, ... }]`. */
export function toWireUsageReport({ summary, by, shares }: UsageReport): WireUsageReport {
  const sum = toWireUsageSummary(summary);
  switch (by) {
    case 'model':
      return { summary: sum, by_model: shares.map((share) => ({ model: share.key, ...toWireShare(share) })) };
    case 'topology':
      return { summary: sum, by_topology: shares.map((share) => ({ topology: share.key, ...toWireShare(share) })) };
    case 'day':
      return { summary: sum, by_day: shares.map((share) => ({ day: share.key, ...toWireShare(share) })) };
  }
}

const toWireShare = (share: UsageReport['shares'][number]) => ({
  calls: share.calls,
  input_tokens: share.inputTokens,
  output_tokens: share.outputTokens,
  cache_tokens: share.cachedInputTokens,
  cost_usd: share.costUsd,
});

const NS_PER_MS = 1_000_000;

/**
 * A span as every door shows it. Nanoseconds since the epoch, as tracing tools have them; kit
 * measures milliseconds.
 */
export const toWireSpan = (span: Span): WireSpan => ({
  name: span.name,
  start_ns: span.startMs * NS_PER_MS,
  end_ns: span.endMs === null ? null : span.endMs * NS_PER_MS,
  duration_ms: span.endMs === null ? null : Math.max(0, span.endMs - span.startMs),
  attributes: span.attributes,
  error: span.error,
  children: span.children.map(toWireSpan),
});

/** Four decimals. */
const toDigits = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));

/** Canary routes, as every door shows them; rates have four decimals (docs/canary.md). */
export function toWireCanary({ routes, promotions }: CanaryReport): WireCanary {
  return {
    enabled: routes.length > 0,
    routes: routes.map(({ topology, isOverridden, versions }) => ({
      topology,
      override: isOverridden,
      versions: versions.map(({ version, weight, runs, failed, errorRate, meanDrift, windowStart, promoteWhen }) => ({
        version,
        weight,
        metrics: {
          total_runs: runs,
          failed_runs: failed,
          error_rate: toDigits(errorRate),
          avg_drift: toDigits(meanDrift),
          window_start: windowStart,
        },
        promote_when:
          promoteWhen === null
            ? null
            : {
                window_minutes: promoteWhen.windowMs / 60_000,
                conditions: promoteWhen.conditions,
              },
      })),
    })),
    promotions: promotions.map(({ topology, weights, oldWeights, reason, by, at, counters }) => ({
      topology,
      weights,
      old_weights: oldWeights,
      reason,
      by,
      timestamp: at,
      metrics: counters.map(({ version, runs, failed, windowStart }) => ({
        version,
        total_runs: runs,
        failed_runs: failed,
        window_start: windowStart,
      })),
    })),
  };
}
