/**
 * Text that a model is writing, for eyes alone: nothing is stored of it and nothing depends on it
 * (docs/design/decisions.md#one-way).
 */
export interface StreamedText {
  /** Activation key of the agent whose model writes. */
  readonly activation: string;
  /** What was added, with secrets masked. */
  readonly text: string;
}

/** Carries streamed text from the runs of this process to who looks at one of them. */
export interface TextFeed {
  /** Never waits and never fails; without a follower the piece is gone. */
  publish(jobId: string, piece: StreamedText): void;
  /**
   * Pieces from now on, until `signal` aborts: abort it, or they are kept waiting. Who reads slowly
   * loses the oldest pieces.
   */
  follow(jobId: string, signal: AbortSignal): AsyncIterable<StreamedText>;
}

/** A slow reader keeps at most so many pieces waiting; one piece is about a word. */
const MAX_WAITING = 1_000;

interface Follower {
  readonly jobId: string;
  waiting: StreamedText[];
  wake: () => void;
}

export function createTextFeed(): TextFeed {
  const followers = new Set<Follower>();
  return {
    publish: (jobId, piece) => {
      for (const follower of followers) {
        if (follower.jobId !== jobId) continue;
        if (follower.waiting.length >= MAX_WAITING) follower.waiting.shift();
        follower.waiting.push(piece);
        follower.wake();
      }
    },
    follow: (jobId, signal) => {
      // It listens from the call on, and not from the first piece that is asked for.
      const follower: Follower = { jobId, waiting: [], wake: () => undefined };
      followers.add(follower);
      signal.addEventListener('abort', () => followers.delete(follower), { once: true });
      return piecesOf(follower, signal);
    },
  };
}

async function* piecesOf(follower: Follower, signal: AbortSignal): AsyncGenerator<StreamedText> {
  while (!signal.aborted) {
    const pieces = follower.waiting;
    follower.waiting = [];
    yield* pieces;
    if (follower.waiting.length === 0) await nextPiece(follower, signal);
  }
}

function nextPiece(follower: Follower, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      follower.wake = () => undefined;
      resolve();
    };
    follower.wake = done;
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
