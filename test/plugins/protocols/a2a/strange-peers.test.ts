import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askServed, linesOf, rpc, task, withUrl } from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 40_000 };
const MIB = 1024 * 1024;

interface Strange {
  /** Answers the n-th look at the task, from 0. */
  readonly look: (n: number, body: string, response: ServerResponse) => void;
  /** Answers a subscription; absent: the card says that there are none. */
  readonly follow?: (response: ServerResponse) => void;
}

const sayJson = (response: ServerResponse, body: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};
const says = (response: ServerResponse, body: string, state: string): void =>
  sayJson(response, rpc(body, task(`TASK_STATE_${state}`)));
const frame = (state: string): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { statusUpdate: { status: { state: `TASK_STATE_${state}` } } } })}\n\n`;

/** A peer that takes a message and is strange from then on. */
async function strange({ look, follow }: Strange) {
  const calls = { looks: 0, follows: 0, sends: 0 };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (request.url !== '/a2a')
        return sayJson(
          response,
          JSON.stringify({ ...withUrl(`${origin}/a2a`), capabilities: { streaming: follow !== undefined } }),
        );
      const { method } = JSON.parse(body);
      if (method === 'SendMessage') {
        calls.sends += 1;
        return says(response, body, 'WORKING');
      }
      if (method === 'SubscribeToTask') {
        calls.follows += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return follow?.(response);
      }
      calls.looks += 1;
      look(calls.looks - 1, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** Looks that the call makes itself before its run lets go of its slot. */
const OWN_LOOKS = 3;
const doneAfter =
  (n: number, before: Strange['look']): Strange['look'] =>
  (seen, body, response) =>
    seen < OWN_LOOKS || seen >= OWN_LOOKS + n
      ? says(response, body, seen < OWN_LOOKS ? 'WORKING' : 'COMPLETED')
      : before(seen, body, response);
const working: Strange['look'] = (_n, body, response) => says(response, body, 'WORKING');

const PEERS: readonly (readonly [string, Strange])[] = [
  ['answers 401 half-way', { look: doneAfter(2, (_n, _body, response) => sayJson(response, '{}', 401)) }],
  ['breaks off half-way', { look: doneAfter(2, (_n, _body, response) => response.destroy()) }],
  [
    'answers with 50 MB half-way',
    {
      look: doneAfter(1, (_n, _body, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('x'.repeat(50 * MIB));
      }),
    },
  ],
  [
    'goes backwards in state',
    {
      look: doneAfter(2, (n, body, response) => {
        const gate = { metadata: { swarmkit: { gate_url: 'https://desk.example/gates/g' } } };
        if (n % 2 === 1) sayJson(response, rpc(body, task('TASK_STATE_INPUT_REQUIRED', gate)));
        else says(response, body, 'WORKING');
      }),
    },
  ],
  [
    'never ends its stream, and tells of nothing but its end',
    {
      look: doneAfter(1, working),
      follow: (response) => {
        response.write(frame('WORKING'));
        setTimeout(() => response.write(frame('COMPLETED')), 300).unref();
      },
    },
  ],
  [
    'repeats an end that has not come',
    {
      look: doneAfter(2, working),
      follow: (response) => {
        for (let n = 0; n < 1000; n += 1) response.write(frame('COMPLETED'));
      },
    },
  ],
  [
    'sends 50 MB in one frame',
    {
      look: doneAfter(2, working),
      follow: (response) => {
        response.write(`data: ${'x'.repeat(50 * MIB)}`);
      },
    },
  ],
  ['ends its stream at once', { look: doneAfter(2, working), follow: (response) => response.end() }],
  [
    'streams what is not JSON',
    { look: doneAfter(2, working), follow: (response) => response.end('data: <html>\n\ndata: []\n\n') },
  ],
];

/** What the run of a caller of this peer came to, and how often the peer was asked. */
async function askedOf(peer: Strange) {
  const { url, calls } = await strange(peer);
  const front = await askServed(url, 'plain');
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  return { calls, lines: await linesOf(front, front.job.id) };
}

// All at once: each of them waits most of the time.
test('a peer that is strange half-way is waited for, and asked once', { timeout: 120_000 }, async () => {
  const all = await Promise.all(PEERS.map(async ([what, peer]) => ({ what, ...(await askedOf(peer)) })));

  for (const { what, calls, lines } of all) {
    expect(calls.sends, what).toBe(1);
    // Nothing of what it streams makes it be asked at its own pace.
    expect(calls.looks, what).toBeLessThan(OWN_LOOKS + 10);
    expect(calls.follows, what).toBeLessThan(6);
    expect(lines.join('\n'), what).not.toContain('remote_');
    // However often it was looked at, its end is told.
    expect(
      lines.filter((line) => line.includes('run t1 at')),
      what,
    ).toHaveLength(1);
  }
});

/** A peer that tells of another place at each look. */
async function pacesOf(state: string) {
  const { url, calls } = await strange({
    look: (n, body, response) => {
      const metadata = { swarmkit: { gate_url: `https://there.test/${n}` } };
      sayJson(response, rpc(body, task(`TASK_STATE_${state}`, { metadata })));
    },
  });
  const front = await askServed(url, 'plain');
  await expect.poll(() => calls.looks, PATIENT).toBeGreaterThan(15);
  // While another task is looked at after 1, 2 and 4 s.
  const other = await strange({ look: doneAfter(3, working) });
  const beside = await askServed(other.url, 'plain');
  await expect.poll(async () => (await beside.now()).status, PATIENT).toBe('completed');
  const { looks } = calls;
  await front.app.serve.stop({ job: front.job.id, by: 'qa-1' });
  return looks;
}

test('a peer that tells of another place for its people, or while it works, at each look sets no pace here', {
  timeout: 120_000,
}, async () => {
  const [asking, working] = await Promise.all([pacesOf('INPUT_REQUIRED'), pacesOf('WORKING')]);

  expect(asking).toBeLessThan(60);
  expect(working).toBeLessThan(60);
});
