import type { Checkpoint } from '../app/list-checkpoints.js';
import { shellWord } from '../lib/shell-word.js';
import { countText, oneLine, timeText } from '../view/lines/words.js';
import { type Column, type TableOptions, table } from './lines/table.js';
import { jobTone, topologyText } from './lines/words.js';

/** `workspace`: as named on the command line; '' = it was not. */
export interface CheckpointsOptions extends TableOptions {
  readonly workspace: string;
}

const columnsOf = (options: TableOptions): readonly Column<Checkpoint>[] => [
  { title: 'RUN', of: ({ job }) => job.id, tone: 'strong' },
  { title: 'TOPOLOGY', canShrink: true, of: ({ job }) => topologyText(job) },
  { title: 'STATUS', of: ({ job }) => job.status, tone: ({ job }) => jobTone(job.status) },
  { title: 'FINISHED', dropFirst: 1, of: ({ steps }) => countText(steps, 'step') },
  { title: 'CREATED', dropFirst: 2, of: ({ job }) => timeText(job.createdAt) },
  { title: 'WHY', canShrink: true, of: (checkpoint) => oneLine(whyText(checkpoint, options), 600) },
];

/** Runs that can go on, one line each with why it does not, and the command that goes on. */
export function checkpointsText(checkpoints: readonly Checkpoint[], options: CheckpointsOptions): string {
  if (checkpoints.length === 0) return 'no run can go on: none is stopped or waits for a decision';
  const lines = table(columnsOf(options), checkpoints, options);
  return [...lines, '', ...nextLines(checkpoints, options)].join('\n');
}

/** As in the table of runs: a terminal has no room for the id twice. */
function whyText({ job, blocked, blockedInFleet }: Checkpoint, { width }: TableOptions): string {
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
