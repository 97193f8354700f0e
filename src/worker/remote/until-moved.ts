import { isKitError } from '../../domain/errors.js';
import type { RemoteAgent, RemoteTasks } from '../../domain/ports/remote-agents.js';
import type { Clock } from '../../domain/ports/system.js';
import {
  endpointOf,
  isPassing,
  lookMs,
  MAX_LOOK_MS,
  type RemoteNote,
  restMs,
} from '../../engine/skills/remote-note.js';

/** Streams of agents that a process may have open; null = no more of them. */
export type TakeStream = () => (() => void) | null;

export interface WatchParts {
  readonly tasks: RemoteTasks;
  readonly clock: Pick<Clock, 'sleep' | 'now'>;
  readonly takeStream: TakeStream;
  /** Looks of one process at tasks, a few at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/**
 * Resolves once a task is not what its call has noted, or cannot be asked about in a way that does
 * not pass: its run is to look at it itself. Follows a stream where the agent has one, with a look
 * each 30 s beside it; else looks after 1, 2, 4 and at most 30 s. One that has moved often is let
 * be first. Also resolves when the signal aborts; never rejects.
 */
export async function untilMoved(parts: WatchParts, note: RemoteNote): Promise<void> {
  const { clock, signal } = parts;
  let stream: Stream | null = null;
  const rest = restMs(note, clock.now());
  if (rest > 0) await clock.sleep(rest, signal).catch(() => undefined);
  try {
    for (let looks = 0; !signal.aborted; ) {
      if (await hasMoved(parts, note)) return;
      stream ??= looks === 0 || looks % 3 === 2 ? openStream(parts, note) : null;
      const over = new AbortController();
      const pause = clock.sleep(stream === null ? lookMs(looks) : MAX_LOOK_MS, AbortSignal.any([signal, over.signal]));
      const how = await Promise.race([pause.then(QUIET, QUIET), ...(stream === null ? [] : [stream.hint])]);
      over.abort('over');
      if (how === 'hint') {
        stream?.close();
        stream = null;
        // What it reports is looked at; a stream with nothing new is not a way to be called.
        if (await hasMoved(parts, note)) return;
        await clock.sleep(lookMs(looks), signal).catch(() => undefined);
      }
      if (stream === null) looks += 1;
    }
  } finally {
    stream?.close();
  }
}

const QUIET = (): 'quiet' => 'quiet';

const agentOf = ({ agent }: RemoteNote, signal: AbortSignal): RemoteAgent => ({ ...agent, signal });

async function hasMoved({ tasks, inTurn, signal }: WatchParts, note: RemoteNote): Promise<boolean> {
  try {
    const task = await inTurn(() => tasks.get(agentOf(note, signal), endpointOf(note), note.task ?? ''));
    return task.state !== note.state || task.gateUrl !== (note.gateUrl ?? null);
  } catch (error) {
    return !signal.aborted && !(isKitError(error) && isPassing(error));
  }
}

interface Stream {
  /** Resolves when the stream tells of another state than the noted one, or ends. */
  readonly hint: Promise<'hint'>;
  readonly close: () => void;
}

function openStream({ tasks, takeStream, signal }: WatchParts, note: RemoteNote): Stream | null {
  const release = note.streaming === true ? takeStream() : null;
  if (release === null) return null;
  const over = new AbortController();
  const agent = agentOf(note, AbortSignal.any([signal, over.signal]));
  const hint = async (): Promise<'hint'> => {
    try {
      for await (const state of tasks.follow(agent, endpointOf(note), note.task ?? '')) if (state !== note.state) break;
    } catch {
      // A stream that fails is one that ended: the look behind it says why.
    } finally {
      release();
    }
    return 'hint';
  };
  return { hint: hint(), close: () => over.abort('over') };
}
