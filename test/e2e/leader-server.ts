import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../support/model-server.js';

/** The model of `talk`: boss delegates once to helper and answers with what comes back. */
export interface LeaderServer extends ModelServer {
  /** From now on answers of helper wait until `release`. */
  hold(): void;
  release(): void;
  /** Resolves when a request of helper waits. */
  held(): Promise<void>;
  /** Who asked so far, in order. */
  asked(): readonly ('boss' | 'helper')[];
}

const textOf = (request: RecordedRequest): string => JSON.stringify(request.body.messages[0]?.content ?? '');
const whoAsks = (request: RecordedRequest): 'boss' | 'helper' =>
  textOf(request).includes('You help.') ? 'helper' : 'boss';

export async function startLeaderServer(): Promise<LeaderServer> {
  let gate = Promise.withResolvers<void>();
  let arrival = Promise.withResolvers<void>();
  let isHolding = false;
  const fallback = (request: RecordedRequest): Reply => {
    if (whoAsks(request) === 'helper') {
      const reply: Reply = { do: 'answer', text: 'helped' };
      if (!isHolding) return reply;
      arrival.resolve();
      return { do: 'hold', until: gate.promise, reply };
    }
    const hasResult = request.body.messages.at(-1)?.role === 'tool';
    return hasResult
      ? { do: 'answer', text: 'all done' }
      : { do: 'answer', calls: [{ name: 'delegate_to_helper', arguments: { task: 'help' } }] };
  };
  const server = await startModelServer(fallback);
  return {
    ...server,
    hold: () => {
      isHolding = true;
      gate = Promise.withResolvers<void>();
      arrival = Promise.withResolvers<void>();
    },
    release: () => {
      isHolding = false;
      gate.resolve();
    },
    held: () => arrival.promise,
    asked: () => server.requests.map(whoAsks),
  };
}
