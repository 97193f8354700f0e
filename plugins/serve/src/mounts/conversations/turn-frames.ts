import { type JobsApp, type StreamItem, toWireJob } from '@kit-run/kit/command';
import type { TurnFrame } from './schemas.js';

/** One turn whose run was submitted. */
export interface RunningTurn {
  readonly workspace: string;
  readonly conversation: string;
  readonly n: number;
  readonly job: string;
}

/** The stream of a run in the frames of a conversation; the last tells what came of it. */
export async function* turnFrames(
  jobs: JobsApp,
  items: AsyncIterable<StreamItem>,
  turn: RunningTurn,
): AsyncGenerator<TurnFrame> {
  for await (const item of items) {
    if (item.kind === 'end') {
      yield await lastFrame(jobs, turn);
      return;
    }
    const { seq, timestamp, type, agentId, text } = item;
    yield { type: 'progress', seq, timestamp, event_type: type, agent_id: agentId, text };
  }
}

/** A parked turn is answered when its run completes: the row tells which it is. */
async function lastFrame(jobs: JobsApp, { workspace, conversation, n, job: id }: RunningTurn): Promise<TurnFrame> {
  const job = await jobs.get({ workspace, job: id });
  const { status, reason, waitingOn } = job;
  const error = job.error ?? `the run is ${status}`;
  if (status === 'completed')
    return {
      type: 'done',
      job_id: id,
      conversation_id: conversation,
      turns: n,
      output: job.output ?? '',
      usage: toWireJob(job).usage,
    };
  if (status === 'deferred')
    return { type: 'deferred', job_id: id, gate_id: waitingOn[0] ?? '', waiting_on: waitingOn, error };
  return { type: 'error', job_id: id, status, reason, error };
}

export const frameBytes = (frame: TurnFrame): Buffer => Buffer.from(`data: ${JSON.stringify(frame)}\n\n`);
