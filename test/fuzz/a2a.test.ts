import { expect, it } from 'vitest';
import { gated } from '../e2e/review/gated-workspace.js';
import { randomFrom, seed } from '../support/crash-share.js';
import { mutate, oneOf, type Random } from '../support/fuzz-mutations.js';
import { changed, dataOf, isObject, isRpc, parsed } from '../support/fuzz-rpc.js';
import { as } from '../support/http/serve-group.js';
import { type A2aWorld, serveA2a } from '../support/protocols/a2a-world.js';

/** Bodies of a share; `npm run fuzz` sends 50,000. */
const COUNT = Number(process.env.KIT_TEST_FUZZ_HTTP ?? '1000');
const AT_ONCE = 8;

const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const METADATA = {
  skill: 'plain',
  swarmkit: { budget: { max_cost_usd: 1, max_turns: 2, max_wall_clock_minutes: 1 }, on_behalf_of: ['ada'], depth: 1 },
};
const parts0 = [
  { kind: 'text', text: 'x' },
  { kind: 'data', data: { a: [1] } },
  { kind: 'file', file: { bytes: 'AAAA', name: 'a.png' } },
];
const message0 = (over: object = {}) => ({
  message: {
    kind: 'message',
    role: 'user',
    messageId: 'm',
    contextId: 'c',
    parts: parts0,
    metadata: METADATA,
    ...over,
  },
  configuration: { blocking: false, maxSteps: 5 },
});
const message1 = (over: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }, { raw: 'AAAA', filename: 'a' }], ...over },
  configuration: { returnImmediately: true },
});

/** What clients of both versions send, but what begins runs: that comes seldom. */
const BASES: readonly object[] = [
  ...['message/send', 'message/stream'].map((method) => call(method, message0({ taskId: '0123456789ab' }))),
  ...['message/send', 'message/stream'].map((method) => call(method, message0({ role: 5, parts: [] }))),
  ...['SendMessage', 'SendStreamingMessage'].map((method) => call(method, message1({ taskId: '0123456789ab' }))),
  ...['tasks/get', 'tasks/cancel', 'tasks/subscribe', 'tasks/resubscribe'].map((method) =>
    call(method, { id: '0123456789ab', historyLength: 2 }),
  ),
  ...['GetTask', 'CancelTask', 'SubscribeToTask'].map((method) => call(method, { id: '0123456789ab' })),
  call('tasks/list', { pageSize: 5, contextId: 'c' }),
  call('ListTasks', { pageSize: 5, pageToken: '0123456789ab', status: 'TASK_STATE_WORKING' }),
  call('tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: { url: 'https://a.example' } }),
  call('agent/getAuthenticatedExtendedCard'),
  call('GetExtendedAgentCard'),
  [call('tasks/list'), { ...call('tasks/get'), id: 2 }],
  { jsonrpc: '2.0', id: 'x', result: {} },
];
const RUNS: readonly object[] = [
  call('message/send', message0()),
  call('SendMessage', message1({ metadata: METADATA })),
];

interface Sent {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function sentBy(random: Random): Sent {
  const base = oneOf(random, random() < 0.02 ? RUNS : BASES);
  const text = JSON.stringify(base);
  const donor = oneOf(random, BASES);
  const how = random();
  const body =
    how < 0.1 ? text : how < 0.85 ? changed(base, donor, random) : mutate(text, JSON.stringify(donor), random);
  const isNew = /"method":"[A-Z]/.test(text);
  const version = random() < 0.95 ? (isNew ? '1.0' : '') : oneOf(random, ['0.3', '1.0', '0.2', '9', 'x']);
  return {
    body,
    path: oneOf(random, ['/a2a', '/a2a', '/a2a/plain', '/a2a/release', '/a2a/nobody']),
    headers: {
      'content-type': random() < 0.97 ? 'application/json' : 'text/plain',
      accept: random() < 0.9 ? 'application/json, text/event-stream' : oneOf(random, ['*/*', 'application/json', 'x']),
      ...(version === '' ? {} : { 'a2a-version': version }),
    },
  };
}

/** What is wrong with an answer; null = nothing. */
function misfit(status: number, type: string, text: string): string | null {
  if (type.startsWith('application/problem+json')) {
    const body = parsed(text);
    return isObject(body) && body.status === status && [400, 404, 413, 415].includes(status)
      ? null
      : `status ${status}`;
  }
  if (status !== 200) return `status ${status} without a problem`;
  if (type.startsWith('text/event-stream')) return dataOf(text).every(isRpc) ? null : 'a frame that is not a response';
  return isRpc(parsed(text)) ? null : 'no response of JSON-RPC';
}

async function send({ url }: A2aWorld, { path, body, headers }: Sent) {
  const over = AbortSignal.timeout(60_000);
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...as('run'), ...headers },
    body,
    signal: over,
  });
  const type = answer.headers.get('content-type') ?? '';
  const text = await answer.text();
  const wrong = misfit(answer.status, type, text);
  return {
    key: `${answer.status} ${type.split(';')[0] ?? ''}`.trim(),
    code: (parsed(text) as { readonly error?: { readonly code?: number } } | undefined)?.error?.code,
    wrong: wrong === null ? null : `${wrong}: ${text.slice(0, 200)} <- ${path} ${body.slice(0, 500)}`,
  };
}

it(
  'whatever is sent to /a2a: a response of JSON-RPC or a problem; never a 500, and no defect behind it',
  async () => {
    const workspace = 'server: { a2a: { enabled: true, wait_seconds: 1 }, jobs: { max_concurrent: 50 } }\n';
    const world = await serveA2a(gated({ workspace }));
    const random = randomFrom(seed());
    const statuses = new Map<string, number>();
    const codes = new Map<number, number>();
    const failures: string[] = [];
    for (let sent = 0; sent < COUNT; sent += AT_ONCE) {
      const bodies = Array.from({ length: AT_ONCE }, () => sentBy(random));
      for (const { key, code, wrong } of await Promise.all(bodies.map((body) => send(world, body)))) {
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1);
        if (wrong !== null) failures.push(wrong);
      }
    }

    const reported = (counts: ReadonlyMap<unknown, number>) => JSON.stringify(Object.fromEntries(counts));
    console.log(`fuzz of A2A: seed ${seed()}, ${COUNT} bodies, ${reported(statuses)}, errors ${reported(codes)}`);
    expect(failures.slice(0, 20)).toEqual([]);
    expect(
      world
        .logged()
        .split('\n')
        .filter((line) => /KIT_INTERNAL|a call of A2A failed/.test(line)),
    ).toEqual([]);
    expect([...codes.keys()]).toEqual(expect.arrayContaining([-32700, -32600, -32601, -32602, -32001, -32003, -32009]));
  },
  Math.max(180_000, COUNT * 30),
);
