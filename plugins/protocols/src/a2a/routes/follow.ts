import { type Job, pause, type StreamItem } from '@kit-run/kit/command';
import { asksPeopleElsewhere, letGo } from '../../shared/people-elsewhere.js';
import { contextIdOf, isOver, stateOf, type Task } from '../wire/task.js';
import type { Frame } from '../wire/versions.js';
import type { TaskReader } from './task-reader.js';
import type { A2aParts } from './uses.js';

/** How long a parked task is left until it is looked at again. */
const LOOK_MS = 1000;

export interface Following {
  readonly job: Job;
  readonly reader: TaskReader;
  readonly signal: AbortSignal;
  /** What the reader has seen of the run; 0 = nothing. */
  readonly afterSeq: number;
  /**
   * `ends`: a stream of a message is over when the task waits for people. `stays`: whoever
   * subscribes to a task waits until it moves.
   */
  readonly whenParked: 'ends' | 'stays';
}

/** A frame, with the place in the run where a reader that was cut off goes on. */
export interface NumberedFrame {
  readonly frame: Frame;
  readonly seq: number | null;
}

const numbered = (frame: Frame, seq: number | null = null): NumberedFrame => ({ frame, seq });

/** The task, then each line of its run, then what came of it. */
export async function* followTask(parts: A2aParts, following: Following): AsyncGenerator<NumberedFrame> {
  const { reader, signal, whenParked } = following;
  let { job, afterSeq } = following;
  yield numbered({ kind: 'task', task: await reader.of(job) });
  let shown = stateOf(job.status);
  while (!signal.aborted) {
    if (job.status === 'deferred' && shown === 'input-required') {
      if (whenParked === 'ends') {
        yield numbered(await statusFrame(reader, job, true));
        return;
      }
      job = await moved(reader, job, signal);
      if (signal.aborted) return;
    }
    if (isOver(stateOf(job.status))) return yield* endOf(reader, job);
    const items: AsyncIterable<StreamItem> = await parts.jobs.stream({
      ...{ workspace: parts.workspace, job: job.id, afterSeq, signal },
    });
    for await (const item of items) {
      if (item.kind === 'end') break;
      afterSeq = item.seq;
      shown = 'working';
      yield numbered(lineFrame(job, item), item.seq);
      if (!asksPeopleElsewhere(item)) continue;
      // An agent that it asked waits for people now: so does whoever asked for this run.
      const task = await reader.of(await letGo(() => reader.job(job.id), item, signal));
      if (task.status.state === 'input-required') yield numbered({ kind: 'status', task, isFinal: false });
    }
    if (signal.aborted) return;
    job = await reader.job(job.id);
    if (isOver(stateOf(job.status))) return yield* endOf(reader, job);
    if (job.status === 'deferred' && shown !== 'input-required') {
      shown = 'input-required';
      if (whenParked === 'stays') yield numbered(await statusFrame(reader, job, false));
    }
  }
}

type Line = Extract<StreamItem, { kind: 'line' }>;

const lineFrame = (job: Job, item: Line): Frame => ({
  kind: 'status',
  isFinal: false,
  task: {
    id: job.id,
    contextId: contextIdOf(job),
    status: { state: 'working', timestamp: item.timestamp, text: item.text },
    metadata: { swarmkit: { event: { seq: item.seq, type: item.type, agent_id: item.agentId } } },
  },
});

async function statusFrame(reader: TaskReader, job: Job, isFinal: boolean): Promise<Frame> {
  return { kind: 'status', task: await reader.of(job), isFinal };
}

async function* endOf(reader: TaskReader, job: Job): AsyncGenerator<NumberedFrame> {
  const task: Task = await reader.of(job);
  if (task.output !== null) yield numbered({ kind: 'output', task, output: task.output });
  yield numbered({ kind: 'status', task, isFinal: true });
}

/** The job once it is parked no more. */
async function moved(reader: TaskReader, parked: Job, signal: AbortSignal): Promise<Job> {
  let job = parked;
  while (job.status === 'deferred' && !signal.aborted) {
    await pause(LOOK_MS, signal);
    job = await reader.job(parked.id);
  }
  return job;
}
