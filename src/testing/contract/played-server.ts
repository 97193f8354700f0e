import type { Json } from '../../domain/json.js';
import type { ProcessResult, ProcessSpec, SupervisedProcess } from '../../domain/ports/system.js';
import type { Network } from './world.js';

/**
 * What a played server answers to a message that holds the text `to`. `"$id"` in the answer stands
 * for the `id` of the message.
 */
export interface PlayedReply {
  readonly to: string;
  readonly answer: Json;
}

/** How the other side of a tool source behaves. */
export type PlayedServer =
  | { readonly kind: 'answers'; readonly replies: readonly PlayedReply[] }
  /** Takes everything and never says a word. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'missing' }
  /** Repeats what it was sent, as debug pages do. */
  | { readonly kind: 'broken' };

function idOf(message: string): Json {
  try {
    const { id } = JSON.parse(message) as { readonly id?: Json };
    return id ?? null;
  } catch {
    return null;
  }
}

function replyTo(message: string, replies: readonly PlayedReply[]): string | null {
  const found = replies.find(({ to }) => message.includes(to));
  return found === undefined
    ? null
    : JSON.stringify(found.answer).replaceAll('"$id"', () => JSON.stringify(idOf(message)));
}

/** The played server over HTTP: JSON to what it knows, 202 to any other POST, 405 to the rest. */
export function playNetwork(server: PlayedServer): Network {
  return async (sent, init, { method, body }) => {
    if (server.kind === 'missing')
      throw new TypeError(`fetch failed; what was sent: ${sent}`, { cause: { code: 'ECONNREFUSED' } });
    if (server.kind === 'broken') return new Response(`oops ${sent}`, { status: 500 });
    if (server.kind === 'silent')
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const answer = replyTo(`${method} ${new TextDecoder().decode(body)}`.replace(/^POST /, ''), server.replies);
    if (answer !== null) return new Response(answer, { status: 200, headers: { 'content-type': 'application/json' } });
    return new Response(null, { status: method === 'POST' ? 202 : 405 });
  };
}

const result = (ended: ProcessResult['ended'], exitCode: number | null): ProcessResult => ({
  exitCode,
  signal: exitCode === null ? 'SIGTERM' : null,
  ended,
  stderrTail: '',
  durationMs: 1,
});

/** Lines of stdin as they come; ends with stdin, or when the process is ended. */
async function* received({ stdin, stdinParts }: ProcessSpec, stopped: Promise<'stopped'>): AsyncGenerator<string> {
  yield* stdin.split('\n').filter((line) => line !== '');
  if (stdinParts === undefined) return;
  const parts = stdinParts[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([parts.next(), stopped]);
    if (next === 'stopped' || next.done === true) {
      await parts.return?.();
      return;
    }
    yield* next.value.split('\n').filter((line) => line !== '');
  }
}

/** A played process and whether it is over. */
export interface PlayedProcess {
  readonly child: SupervisedProcess;
  readonly isOver: () => boolean;
}

/**
 * The played server as a program that answers on stdout what it reads on stdin. `onLine` is told
 * what it reads.
 */
export function playServer(
  server: PlayedServer,
  spec: ProcessSpec,
  stops: readonly AbortSignal[],
  onLine: (line: string) => void,
): PlayedProcess {
  let isOver = false;
  if (server.kind === 'missing' || server.kind === 'broken') {
    const done = Promise.reject<ProcessResult>(
      new Error(`cannot start ${spec.argv[0]}: no such program`, { cause: { code: 'ENOENT' } }),
    );
    done.catch(() => {});
    return { child: { lines: (async function* () {})(), done }, isOver: () => true };
  }
  const signal = AbortSignal.any([...stops]);
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const over = Promise.withResolvers<ProcessResult>();
  async function* lines(): AsyncGenerator<string> {
    for await (const line of received(spec, stopped)) {
      onLine(line);
      const answer = server.kind === 'answers' ? replyTo(line, server.replies) : null;
      if (answer !== null) yield answer;
    }
    isOver = true;
    over.resolve(signal.aborted ? result('aborted', null) : result(null, 0));
  }
  return { child: { lines: lines(), done: over.promise }, isOver: () => isOver };
}
