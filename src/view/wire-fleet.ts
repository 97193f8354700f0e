import type { SeenMember } from '../domain/ports/fleet.js';
import { busyAgent, type FleetOverview, type RunningRun, type WaitingItem } from './fleet-overview.js';
import type { WireFleet } from './schemas/fleet.js';
import { costOf } from './usage-view.js';
import { toWireQueueStats } from './wire-job.js';

/** A database of runs at one moment, as `kit top --json` shows it; times in seconds. */
export const toWireFleet = ({ at, storeAheadMs, queue, members, runs, waiting }: FleetOverview): WireFleet => ({
  at,
  store_ahead_seconds: storeAheadMs / 1000,
  queue: toWireQueueStats(queue),
  members: members === null ? null : members.rows.map(wireMember),
  members_total: members?.total ?? null,
  runs: runs.rows.map(wireRun),
  runs_total: runs.total,
  waiting: waiting.rows.map(wireWaiting),
  waiting_total: waiting.total,
});

const wireMember = (member: SeenMember): NonNullable<WireFleet['members']>[number] => ({
  id: member.id,
  kind: member.kind,
  hostname: member.hostname,
  pid: member.pid,
  version: member.version,
  engine: member.engine,
  job_class: member.jobClass,
  concurrency: member.concurrency,
  active: member.active,
  offers: {
    plugins: member.offers.plugins,
    adapters: member.offers.adapters,
    workspace: member.offers.workspace ?? null,
  },
  started_at: member.startedAt,
  beat_at: member.beatAt,
  silent_seconds: member.silentMs / 1000,
  alive: member.isAlive,
});

/** Of the steps of a run that wait for a provider or a server, as many are told of. */
const MOST_WAITS = 10;

function wireRun({ job, view, elapsedMs }: RunningRun): WireFleet['runs'][number] {
  const agent = busyAgent(view);
  const { inputTokens, outputTokens } = view.usage;
  const waits = Object.values(view.outages);
  return {
    id: job.id,
    topology: job.topology,
    version: job.version,
    agent_id: agent?.agentId ?? null,
    activity: agent?.current?.kind ?? null,
    activity_label: agent?.current?.label ?? null,
    waits: waits.slice(0, MOST_WAITS).map(({ agentId, reason, until }) => ({ agent_id: agentId, reason, until })),
    waits_total: waits.length,
    elapsed_seconds: elapsedMs / 1000,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costOf(view.usage) },
    worker_id: job.workerId,
    started_at: job.startedAt,
  };
}

const wireWaiting = (item: WaitingItem): WireFleet['waiting'][number] => ({
  id: item.id,
  kind: item.kind,
  gate_id: item.gateId,
  role: item.role,
  job_id: item.jobId,
  topology: item.topology,
  age_seconds: item.ageMs / 1000,
});
