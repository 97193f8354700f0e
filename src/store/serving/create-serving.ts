import type { JobStatus } from '../../domain/job.js';
import type { QueueFigures, ServingStore } from '../../domain/ports/serving.js';
import { all, get, type Program, type Programs, type SqlDialect } from '../program.js';
import { type DepthRow, type OutageRow, queueFigures, SAMPLE, type SampleRow } from '../queue-figures.js';
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
import { createFleetStore } from './fleet-store.js';

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
  readonly usage: ServingStore['usage'];
}

export function createServing(programs: Programs, words: ServingWords): ServingStore {
  const { read } = programs;
  const { dialect, usage } = words;
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
    usage,
    jobCounts: async () => {
      const rows = await read(() => all<{ status: JobStatus; jobs: number }>(JOB_COUNTS, {}));
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
