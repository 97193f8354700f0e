import type { JobStatus } from '../../domain/job.js';
import type { FleetStore } from '../../domain/ports/fleet.js';
import type { QueueFigures, ServingStore } from '../../domain/ports/serving.js';
import type { UsageKey } from '../../domain/ports/usage.js';
import { decodeFleet, FLEET_LISTED, type FleetRow, FORGOTTEN_AT_ONCE, fleetParams } from '../fleet-row.js';
import { boundsOf, daysOf, foldUsage, type UsageRow } from '../model-usage.js';
import { all, get, type Program, type Programs, run, type SqlDialect } from '../program.js';
import { type DepthRow, type OutageRow, queueFigures, SAMPLE, type SampleRow } from '../queue-figures.js';
import { LEAVE, LIST_FLEET } from '../sql/fleet.js';
import { JOB_COUNTS } from '../sql/jobs.js';
import {
  type CountRow,
  decodeKinds,
  decodeNeeds,
  type KindRow,
  kindParams,
  type NeedsRow,
  waitingCount,
} from '../waiting-kind.js';
import { createAccessLog } from './access-log.js';
import { createCanaryStore } from './canary-store.js';
import { createConversationStore } from './conversation-store.js';
import { createCoordination } from './coordination.js';

/** Heartbeat rows. `beat`: the statements of one, in the words of the dialect. */
const createFleetStore = ({ now, read, write }: Programs, beat: readonly string[]): FleetStore => ({
  beat: (member, forgetMs) =>
    write('serving.fleet', function* (at) {
      const times = { now: at(), before: at(-forgetMs), limit: FORGOTTEN_AT_ONCE };
      for (const statement of beat) yield* run(statement, { ...fleetParams(member), ...times });
    }),
  leave: (id) =>
    write('serving.fleet', function* () {
      yield* run(LEAVE, { id });
    }),
  list: async (aliveMs) => {
    const rows = await read(() => all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED }));
    return decodeFleet(rows, { nowMs: Date.parse(await now()), aliveMs });
  },
});

/** What servers keep, in the words of a dialect. */
export interface ServingWords {
  readonly dialect: SqlDialect;
  /** The statements of one heartbeat. */
  readonly beat: readonly string[];
  readonly queue: {
    readonly DEPTHS: string;
    readonly RUNNING: string;
    readonly OUTAGES: string;
    readonly SAMPLES: string;
  };
  readonly kinds: () => Program<readonly KindRow[]>;
  readonly needs: () => Program<readonly NeedsRow[]>;
  readonly countWaiting: string;
  readonly usage: Readonly<Record<'usage' | 'usageOfRun', (by: UsageKey) => string>>;
}

export function createServing(programs: Programs, words: ServingWords): ServingStore {
  const { read } = programs;
  const { dialect } = words;
  return {
    canary: createCanaryStore(programs),
    conversations: createConversationStore(programs, dialect),
    fleet: createFleetStore(programs, words.beat),
    ...createAccessLog(programs),
    ...createCoordination(programs, dialect),
    queueStats: () => queueStats(programs, words.queue),
    waitingKinds: async () => decodeKinds(await read(words.kinds)),
    waitingNeeds: async () => decodeNeeds(await read(words.needs)),
    countWaiting: async (kind) => waitingCount(await read(() => get<CountRow>(words.countWaiting, kindParams(kind)))),
    usage: async (filter) => {
      const { jobId, by = 'model' } = filter;
      const asked = boundsOf(filter);
      const calls = () =>
        jobId === undefined
          ? all<UsageRow>(words.usage.usage(by), { ...asked, ...daysOf(asked) })
          : all<UsageRow>(words.usage.usageOfRun(by), { jobId, ...asked });
      return foldUsage(await read(calls), by);
    },
    jobCounts: async (which) => {
      const rows = await read(() => all<{ status: JobStatus; jobs: number }>(JOB_COUNTS[which], {}));
      return Object.fromEntries(rows.map((row) => [row.status, row.jobs]));
    },
  };
}

async function queueStats({ now, read }: Programs, sql: ServingWords['queue']): Promise<QueueFigures> {
  const figures = await read(function* () {
    const depths = yield* all<DepthRow>(sql.DEPTHS, {});
    const running = (yield* get<{ jobs: number }>(sql.RUNNING, {}))?.jobs ?? 0;
    const outages = yield* get<OutageRow>(sql.OUTAGES, {});
    return { depths, running, outages, samples: yield* all<SampleRow>(sql.SAMPLES, { limit: SAMPLE }) };
  });
  return queueFigures({ ...figures, now: await now() });
}
