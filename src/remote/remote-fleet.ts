import type { FleetApp } from '../app/fleet/fleet-app.js';
import type { SeenMember } from '../domain/ports/fleet.js';
import type { RunningRun } from '../view/fleet-overview.js';
import { type AgentView, EMPTY_RUN, type RunView } from '../view/run-view.js';
import { FLEET } from '../view/schemas/fleet.js';
import { fromWireJob } from '../view/schemas/job.js';
import type { HeldOf } from '../view/schemas/words.js';
import { NO_USAGE } from '../view/usage-view.js';
import type { RemoteContext } from './remote-context.js';

/**
 * What works and what waits at a server: the page of `kit top`, out of what `toWireFleet` makes.
 */
export const remoteFleet = ({ client }: RemoteContext): Pick<FleetApp, 'overview'> => ({
  overview: async ({ limit }) => {
    const answer = await client.readAs(FLEET, client.http.GET('/fleet', { params: { query: { limit } } }));
    const { queue, members, membersTotal, runs, runsTotal, waiting, waitingTotal, ...at } = answer;
    const outages = { jobs: queue.waitingForOutage, nextAt: queue.nextOutageLookAt };
    return {
      ...at,
      queue: { ...queue, outages },
      members: members === null ? null : { rows: members.map(memberOf), total: membersTotal ?? 0 },
      runs: { rows: runs.map(runOf), total: runsTotal },
      waiting: { rows: waiting, total: waitingTotal },
    };
  },
});

type Answer = HeldOf<typeof FLEET>;

const memberOf = (member: NonNullable<Answer['members']>[number]): SeenMember => {
  const { workspace, ...offers } = member.offers;
  return { ...member, offers: { ...offers, ...(workspace === null ? {} : { workspace }) } };
};

/** A run with the agent that is at work and nothing else of its view: more is not told of it. */
function runOf(answer: Answer['runs'][number]): RunningRun {
  const { agentId, usage, waits, elapsedMs, workerId, startedAt } = answer;
  const { id, topology, version } = answer;
  const { costUsd, ...tokens } = usage;
  const view: RunView = {
    ...EMPTY_RUN,
    usage: { ...NO_USAGE, ...tokens, knownCostUsd: costUsd ?? 0, unknownCosts: costUsd === null ? 1 : 0 },
    outages: Object.fromEntries(waits.map((wait, at) => [String(at), { ...wait, tries: 1 }])),
    ...(agentId === null ? {} : { order: [agentId], agents: { [agentId]: agentOf(agentId, answer) } }),
  };
  return { job: { ...fromWireJob({}), id, topology, version, workerId, startedAt }, view, elapsedMs };
}

function agentOf(agentId: string, { activity, activityLabel }: Answer['runs'][number]): AgentView {
  return {
    activation: agentId,
    agentId,
    parent: null,
    role: '',
    executor: 'model',
    status: 'running',
    reason: null,
    current: activity === null ? null : { kind: activity, label: activityLabel ?? '' },
    startedSeq: 0,
    startedAt: '',
    endedAt: null,
    durationMs: null,
    usage: NO_USAGE,
    calls: EMPTY_RUN.calls,
    outcome: null,
    recentCalls: [],
    trail: [],
    runningChildren: 0,
  };
}
