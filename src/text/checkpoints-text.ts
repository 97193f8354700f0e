import type { Checkpoint } from '../app/list-checkpoints.js';
import { shellWord } from '../lib/shell-word.js';
import { countText, oneLine, timeText } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';
import { jobTone, topologyText } from './lines/words.js';
import type { ObserveOptions } from './status-text.js';

const COLUMNS: readonly Column[] = [
  { title: 'RUN' },
  { title: 'TOPOLOGY', canShrink: true },
  { title: 'STATUS' },
  { title: 'FINISHED', dropFirst: 1 },
  { title: 'CREATED', dropFirst: 2 },
  { title: 'WHY', canShrink: true },
];

/** `workspace`: as named on the command line; '' = it was not. */
export interface CheckpointsOptions extends ObserveOptions {
  readonly workspace: string;
}

/** Runs that can go on, one line each with why it does not, and the command that goes on. */
export function checkpointsText(checkpoints: readonly Checkpoint[], options: CheckpointsOptions): string {
  if (checkpoints.length === 0) return 'no run can go on: none is stopped or waits for a decision';
  const rows = checkpoints.map((checkpoint) => [
    { text: checkpoint.job.id, tone: 'strong' as const },
    { text: topologyText(checkpoint.job) },
    { text: checkpoint.job.status, tone: jobTone(checkpoint.job.status) },
    { text: countText(checkpoint.steps, 'step') },
    { text: timeText(checkpoint.job.createdAt) },
    { text: oneLine(whyText(checkpoint, options), 600) },
  ]);
  const lines = table(COLUMNS, rows, { paint: createPaint(options.color), width: options.width });
  return [...lines, '', ...nextLines(checkpoints, options)].join('\n');
}

/** As in the table of runs: a terminal has no room for the id twice. */
function whyText({ job, blocked, blockedInFleet }: Checkpoint, { width }: ObserveOptions): string {
  const own = job.error ?? job.reason;
  return [
    ...(own === null ? [] : [width === null ? own : own.replaceAll(`${job.id}:`, '')]),
    ...(blocked === null ? [] : [`this kit cannot go on with it: ${blocked}`]),
    ...(blockedInFleet === null ? [] : [`no live server or worker can go on with it: ${blockedInFleet}`]),
  ].join('; ');
}

/** Resuming a run that waits for people only parks it again: who can decide is what helps. */
function nextLines(checkpoints: readonly Checkpoint[], { workspace }: CheckpointsOptions): readonly string[] {
  const ready = checkpoints.find(({ job }) => job.status !== 'deferred');
  const waiting = checkpoints.find(({ job }) => job.status === 'deferred');
  const place = workspace === '' ? '' : `${shellWord(workspace)} `;
  const flag = workspace === '' ? '' : ` -w ${shellWord(workspace)}`;
  return [
    ...(ready === undefined
      ? []
      : [`go on with: kit run ${place}${shellWord(ready.job.topology)} --resume=${ready.job.id}`]),
    ...(waiting === undefined ? [] : [`who decides: kit why ${waiting.job.id}${flag}`]),
  ];
}
