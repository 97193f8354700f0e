import type { QueueStats } from '../domain/ports/serving.js';
import { untilText } from '../view/lines/failure-text.js';
import { countText, durationText, oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import type { TableOptions } from './lines/table.js';

/** `p50 1.0 s, p95 2.0 s`. */
export const between = (p50: number | null, p95: number | null): string =>
  p50 === null || p95 === null ? 'not known yet' : `p50 ${durationText(p50)}, p95 ${durationText(p95)}`;

/** Depth, age and times of the queue, and which topologies wait. */
export function queueText(stats: QueueStats, options: TableOptions): string {
  const paint = createPaint(options.color);
  const oldest = stats.oldestQueuedAgeMs === null ? '' : `, the oldest for ${durationText(stats.oldestQueuedAgeMs)}`;
  const waiting = Object.entries(stats.depthByTopology).sort(([, a], [, b]) => b - a);
  return [
    `${paint('strong', 'waiting')}    ${stats.queued}${oldest}`,
    `${paint('strong', 'running')}    ${stats.running}`,
    ...outageLine(stats).map((line) => paint('warn', line)),
    `${paint('strong', 'wait')}       ${between(stats.queueWaitP50Ms, stats.queueWaitP95Ms)}`,
    `${paint('strong', 'execution')}  ${between(stats.executionP50Ms, stats.executionP95Ms)}`,
    `${paint('dim', `of ${countText(stats.sampleSize, 'run')} that completed without parking or moving, the newest 500 at most`)}`,
    ...waiting.map(([topology, count]) => `  ${oneLine(topology, 60)}  ${count} waiting`),
    ...blockedLines(stats.blocked).map((line) => paint('warn', line)),
  ].join('\n');
}

/** Runs that nobody executes and that wait for no person. */
function outageLine({ outages: { jobs, nextAt } }: QueueStats): readonly string[] {
  if (jobs === 0) return [];
  const next = nextAt === null ? '' : `; the next looks at ${untilText(nextAt)}`;
  return [`${countText(jobs, 'run')} ${jobs === 1 ? 'waits' : 'wait'} for what is down${next}`];
}

/** Needs come from workspaces of other machines: their names are text like any other. */
const CLAUSE_CHARS = 300;

/**
 * What waits although nobody alive can claim it: how many, an example, and a line for each thing
 * that is missing.
 */
export function blockedLines(blocked: QueueStats['blocked']): readonly string[] {
  if (blocked === null)
    return ['which of them nobody can claim is not known: the rows of the fleet (storage.fleet) cannot be read'];
  return blocked.flatMap(({ jobs, example, missing }) => [
    `${jobs === 1 ? `run ${example} waits, and nobody alive can claim it` : `${jobs} runs wait, and nobody alive can claim them (one is ${example})`}`,
    ...missing.map((clause) => `  ${oneLine(clause, CLAUSE_CHARS)}`),
  ]);
}
