import type { SeenMember } from '../../domain/ports/fleet.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import type { Metric, MetricSample, MetricSource } from './metrics-app.js';

/**
 * Series of the depth by topology: names come from workspaces, and a scrape must not grow with
 * them.
 */
const TOPOLOGIES_SHOWN = 20;
/** No topology can have this name. */
const OTHERS = '(others)';

const gauge = (name: string, help: string, samples: readonly MetricSample[]): Metric => ({
  name,
  help,
  kind: 'gauge',
  samples,
});
const one = (value: number | null): readonly MetricSample[] => (value === null ? [] : [{ labels: {}, value }]);
const secondsOf = (ms: number): number => ms / 1000;

/**
 * The figures of `kit queue-stats` and `GET /queue/stats`. What has no sample yet has no series.
 */
export const queueMetrics =
  (read: (workspace: string) => Promise<QueueStats>): MetricSource =>
  async (workspace) => {
    const stats = await read(workspace);
    const blocked = stats.blocked === null ? null : stats.blocked.reduce((sum, { jobs }) => sum + jobs, 0);
    return [
      gauge('kit_queue_depth', 'Jobs that wait for a claim.', one(stats.queued)),
      gauge(
        'kit_queue_depth_by_topology',
        'Jobs that wait for a claim, of the topologies with most of them.',
        depths(stats),
      ),
      gauge('kit_queue_running', 'Jobs that execute.', one(stats.running)),
      gauge('kit_queue_blocked', 'Jobs that wait and that no live server or worker can claim.', one(blocked)),
      gauge(
        'kit_queue_oldest_seconds',
        'Age of the job that waits longest; 0 when none does.',
        one(secondsOf(stats.oldestQueuedAgeMs ?? 0)),
      ),
      gauge(
        'kit_queue_wait_seconds',
        'Time from submit to claim of the newest completed jobs.',
        quantiles(stats.queueWaitP50Ms, stats.queueWaitP95Ms),
      ),
      gauge(
        'kit_queue_execution_seconds',
        'Time that the newest completed jobs executed.',
        quantiles(stats.executionP50Ms, stats.executionP95Ms),
      ),
    ];
  };

function depths({ depthByTopology }: QueueStats): readonly MetricSample[] {
  const sorted = Object.entries(depthByTopology).toSorted(([, a], [, b]) => b - a);
  const rest = sorted.slice(TOPOLOGIES_SHOWN).reduce((sum, [, jobs]) => sum + jobs, 0);
  const shown: readonly (readonly [string, number])[] = [
    ...sorted.slice(0, TOPOLOGIES_SHOWN),
    ...(rest === 0 ? [] : [[OTHERS, rest] as const]),
  ];
  return shown.map(([topology, value]) => ({ labels: { topology }, value }));
}

const quantiles = (p50: number | null, p95: number | null): readonly MetricSample[] =>
  p50 === null || p95 === null
    ? []
    : [
        { labels: { quantile: '0.5' }, value: secondsOf(p50) },
        { labels: { quantile: '0.95' }, value: secondsOf(p95) },
      ];

/** Servers and workers that are alive, by kind and class, and their slots together. */
export const fleetMetrics =
  (read: (workspace: string) => Promise<readonly SeenMember[]>): MetricSource =>
  async (workspace) => {
    const groups = Map.groupBy(
      (await read(workspace)).filter(({ isAlive }) => isAlive),
      ({ kind, jobClass }) => `${kind} ${jobClass}`,
    );
    const samples = (value: (members: readonly SeenMember[]) => number): readonly MetricSample[] =>
      [...groups.values()].flatMap((members) =>
        members
          .slice(0, 1)
          .map(({ kind, jobClass }) => ({ labels: { kind, job_class: jobClass }, value: value(members) })),
      );
    return [
      gauge(
        'kit_fleet_members',
        'Servers and workers that are alive.',
        samples((members) => members.length),
      ),
      gauge(
        'kit_fleet_slots',
        'Slots of the living; 0 of a process that drains.',
        samples((members) => sum(members, ({ concurrency }) => concurrency)),
      ),
      gauge(
        'kit_fleet_slots_active',
        'Slots that runs of the living hold.',
        samples((members) => sum(members, ({ active }) => active)),
      ),
    ];
  };

const sum = (members: readonly SeenMember[], of: (member: SeenMember) => number): number =>
  members.reduce((total, member) => total + of(member), 0);
