import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/runs/mount.js';
import type { AuthProvider } from '../../../../src/domain/ports/http.js';
import { as, groupOf, serveParts, TEST_AUTH } from '../../../support/http/serve-group.js';
import { readStream } from '../../../support/http/sse.js';

type Authenticate = AuthProvider['authenticate'];

const EXPIRED: Authenticate = async () => ({
  kind: 'refused',
  detail: 'the token has expired',
  error: 'invalid_token',
});
/** The same person, who may no longer read. */
const WITHOUT_SCOPES: Authenticate = async () => ({
  kind: 'caller',
  caller: { clientId: 'alice', clientName: 'alice', provider: 'test', scopes: [], assurance: 'authenticated' },
});
const UNREACHABLE: Authenticate = async () => {
  throw new Error('the issuer does not answer');
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A stream that says one line and then nothing, and what the provider says from then on. */
async function openStream() {
  let authenticate = TEST_AUTH.authenticate;
  let isFollowed = false;
  let asked = 0;
  const jobs = {
    stream: async ({ signal }: { readonly signal: AbortSignal }) =>
      (async function* () {
        isFollowed = true;
        const seq = 1;
        yield { kind: 'line', seq, text: 'one', timestamp: '', type: 'run.started', agentId: null, event: {} };
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        isFollowed = false;
      })(),
  };
  const server = await serveParts({
    groups: [await groupOf(contribution, { jobs })],
    auth: {
      ...TEST_AUTH,
      authenticate: (credentials) => {
        asked += 1;
        return authenticate(credentials);
      },
    },
  });
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/jobs/0123456789ab/stream`;
  const stream = readStream(url, { headers: as('read') });
  await expect.poll(() => isFollowed).toBe(true);
  return {
    stream,
    change: (next: Authenticate): void => {
      authenticate = next;
    },
    isFollowed: () => isFollowed,
    asked: () => asked,
  };
}

it.each([
  ['its token has expired', EXPIRED],
  ['a scope was taken away', WITHOUT_SCOPES],
  ['nobody can tell who it is', UNREACHABLE],
])('a stream ends soon after its reader is no longer let in: %s', async (_, refused) => {
  const { stream, change, isFollowed } = await openStream();
  change(refused);
  await vi.advanceTimersByTimeAsync(15_000);
  const { hasEnded } = await stream;
  expect(hasEnded).toBe(true);
  await expect.poll(isFollowed).toBe(false);
});

it('a stream stays open while its reader is let in, and nobody is asked for one that has ended', async () => {
  const { stream, change, isFollowed, asked } = await openStream();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(5);
  expect(isFollowed()).toBe(true);
  change(EXPIRED);
  await vi.advanceTimersByTimeAsync(15_000);
  await stream;
  const last = asked();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(last);
});
