import { expect, test } from 'vitest';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { type A2aWorld, type RpcOptions, said, serveA2a } from '../../../support/protocols/a2a-world.js';

const files = () => gated({ workspace: 'server: { a2a: { enabled: true } }\n' });

const post = (world: A2aWorld, body: string, headers: Readonly<Record<string, string>> = {}, path = '/a2a') =>
  fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { ...as('run'), 'content-type': 'application/json', ...headers },
    body,
  });

/** Deeper than any stack of calls. */
const DEEP = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;

test('refusals of the envelope travel on 200, with the id that there is', async () => {
  const world = await serveA2a(files());
  const answers: unknown[] = [];
  for (const body of [
    '{',
    '"\\ud800"',
    '[]',
    '[{"jsonrpc":"2.0","id":1,"method":"tasks/get"}]',
    '"text"',
    '{"jsonrpc":"1.0","id":7,"method":"tasks/get"}',
    '{"jsonrpc":"2.0","id":"x"}',
    '{"jsonrpc":"2.0","id":{},"method":"tasks/get"}',
    '{"jsonrpc":"2.0","id":8,"method":"tasks/wonder"}',
    '{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":[]}',
    '{"jsonrpc":"2.0","id":10,"method":"GetTask","params":{}}',
    `{"jsonrpc":"2.0","id":11,"method":"message/send","params":${DEEP}}`,
    DEEP,
  ]) {
    const answer = await post(world, body);
    const { id, error } = (await answer.json()) as { id: unknown; error: { code: number } };
    answers.push([answer.status, id, error.code]);
  }
  expect(answers).toEqual([
    [200, null, -32700],
    [200, null, -32700],
    [200, null, -32600],
    [200, null, -32600],
    [200, null, -32600],
    [200, 7, -32600],
    [200, 'x', -32600],
    [200, null, -32600],
    [200, 8, -32601],
    [200, 9, -32602],
    [200, 10, -32601],
    [200, 11, -32600],
    [200, null, -32600],
  ]);
});

test('what is not a body of JSON, no token and no topology stays HTTP', async () => {
  const world = await serveA2a(files());
  expect((await post(world, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post(world, '{}', { authorization: 'nobody' })).status).toBe(401);
  expect((await post(world, '{}', as('read'))).status).toBe(403);
  expect((await post(world, '{}', {}, '/a2a/nothere')).status).toBe(404);
  expect((await fetch(`${world.url}/a2a`, { headers: as('read') })).status).toBe(405);
});

const CASES: readonly (readonly [string, object, number, RpcOptions?])[] = [
  ['message/send', {}, -32602],
  ['message/send', { message: 'text' }, -32602],
  ['message/send', { message: { parts: [] } }, -32602],
  ['message/send', { message: { parts: [{ kind: 'file', file: { bytes: 'AAAA' } }] } }, -32602],
  ['message/send', { message: { parts: [{ kind: 'file', file: { uri: 'https://x.example/a.png' } }] } }, -32005],
  [
    'message/send',
    said('x', {
      parts: [
        { kind: 'text', text: 'x' },
        { kind: 'file', file: { bytes: 'aGVsbG8=' } },
      ],
      metadata: { skill: 'plain' },
    }),
    -32005,
  ],
  [
    'message/send',
    said('x', {
      parts: [
        { kind: 'text', text: 'x' },
        { kind: 'file', file: { bytes: '?' } },
      ],
      metadata: { skill: 'plain' },
    }),
    -32602,
  ],
  ['message/send', said('x'), -32602],
  ['message/send', said('x', { metadata: { skill: 'nothere' } }), -32602],
  ['message/send', said('x\u0000', { metadata: { skill: 'plain' } }), -32602],
  ['message/send', said('x', { metadata: { skill: 'release' } }), -32602, { path: '/a2a/plain' }],
  ['message/send', said('x', { taskId: 'nothere' }), -32001],
  [
    'message/send',
    {
      ...said('x', { metadata: { skill: 'plain' } }),
      configuration: { pushNotificationConfig: { url: 'https://x.example' } },
    },
    -32003,
  ],
  ['message/stream', said('x', { metadata: { skill: 'plain' } }), -32600],
  ['tasks/resubscribe', { id: 'nothere' }, -32600],
  ['tasks/get', {}, -32602],
  ['tasks/get', { id: 7 }, -32602],
  ['tasks/get', { id: 'nothere' }, -32001],
  ['tasks/cancel', { id: 'nothere' }, -32001],
  ['tasks/list', { pageToken: 'nothere' }, -32602],
  ['tasks/pushNotificationConfig/set', {}, -32003],
  ['agent/getAuthenticatedExtendedCard', {}, -32004],
  ['tasks/get', { id: 'nothere' }, -32009, { version: '2.0' }],
  ['tasks/get', { id: 'nothere' }, -32001, { version: '0.3.0' }],
  ['GetTask', { id: 'nothere' }, -32001, { version: '1.0' }],
  ['SendMessage', { message: { parts: [{ url: 'https://x.example/a.png' }] } }, -32005, { version: '1.0' }],
  ['CreateTaskPushNotificationConfig', {}, -32003, { version: '1.0' }],
  ['GetExtendedAgentCard', {}, -32004, { version: '1.0' }],
  ...(['max_cost_usd', 'max_turns', 'max_wall_clock_minutes'] as const).flatMap((name) =>
    [0, -1, '5', true].map(
      (value) =>
        [
          'message/send',
          said('x', { metadata: { skill: 'plain', swarmkit: { budget: { [name]: value } } } }),
          -32602,
        ] as const,
    ),
  ),
  ['message/send', said('x', { metadata: { skill: 'plain', swarmkit: { depth: 6 } } }), -32602],
  [
    'message/send',
    said('x', { metadata: { skill: 'plain', swarmkit: { on_behalf_of: Array.from({ length: 9 }, () => 'x') } } }),
    -32602,
  ],
];

test('each refusal has the code of the table, and makes no run', async () => {
  const world = await serveA2a(files());
  const got: unknown[] = [];
  for (const [method, params, , options] of CASES) {
    const { error, id } = await world.rpc(method, params, { id: 'q', ...options });
    expect(id).toBe('q');
    got.push([method, error?.code]);
  }
  expect(got).toEqual(CASES.map(([method, , code]) => [method, code]));
  expect(await world.app.jobs.list({ workspace: world.workspace })).toEqual([]);
});

test('an error of 1.0 is an ErrorInfo, of 0.3 its facts', async () => {
  const world = await serveA2a(files());
  const one = await world.rpc('GetTask', { id: 'nothere' }, { version: '1.0' });
  expect(one.error).toMatchObject({
    code: -32001,
    data: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        domain: 'a2a-protocol.org',
        metadata: { code: 'job-unknown' },
      },
    ],
  });
  const old = await world.rpc('tasks/get', { id: 'nothere' });
  expect(old.error?.data).toEqual({ code: 'job-unknown' });
});

test('the same message is the same task, another one under its id is refused', async () => {
  const world = await serveA2a(files());
  const message = said('hello', { metadata: { skill: 'plain' } });
  const first = await world.rpc('message/send', message);
  const again = await world.rpc('message/send', message);
  expect(again.result.id).toBe(first.result.id);
  expect(again.result.contextId).toBe(first.result.contextId);
  const other = { message: { ...message.message, parts: [{ kind: 'text', text: 'other' }] } };
  expect((await world.rpc('message/send', other)).error?.code).toBe(-32602);
  const somebody = await world.rpc('message/send', other, { client: 'bob' });
  expect(somebody.result.id).not.toBe(first.result.id);
  expect(await world.app.jobs.list({ workspace: world.workspace })).toHaveLength(2);
});

test('text, data and context reach the run', async () => {
  const world = await serveA2a(files());
  const parts = [
    { kind: 'text', text: 'Sum this:' },
    { kind: 'data', data: { a: [1, 2] } },
  ];
  const sent = await world.rpc('message/send', said('', { parts, contextId: 'ticket-7' }), { path: '/a2a/plain' });
  const job = await world.job(sent.result.id);
  expect(job).toMatchObject({
    topology: expect.stringContaining('plain'),
    input: 'Sum this:\n{"a":[1,2]}',
    correlationId: 'ticket-7',
    labels: { 'a2a.context_id': 'ticket-7' },
    source: 'a2a',
    submittedBy: { identity: 'alice', assurance: 'authenticated' },
  });
  expect(sent.result.contextId).toBe('ticket-7');
  const listed = await world.rpc('tasks/list', { contextId: 'ticket-7', wonder: true });
  expect(listed.result.tasks.map(({ id }: { id: string }) => id)).toEqual([job.id]);
  expect((await world.rpc('tasks/list', { contextId: 'other' })).result).toEqual({ tasks: [] });
});

test('a list has pages, newest first, and no run of another entry point', async () => {
  const world = await serveA2a(files());
  const ids: string[] = [];
  for (const text of ['a', 'b', 'c'])
    ids.unshift((await world.rpc('message/send', said(text), { path: '/a2a/plain' })).result.id);
  const page = async (params: object) => (await world.rpc('ListTasks', params, { version: '1.0' })).result;
  const first = await page({ pageSize: 2 });
  expect(first.tasks.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
  const rest = await page({ pageSize: 2, pageToken: first.nextPageToken });
  expect(rest).toMatchObject({ tasks: [{ id: ids[2] }], nextPageToken: '' });
  expect((await page({ status: 'TASK_STATE_INPUT_REQUIRED' })).tasks).toEqual([]);
  expect((await page({ status: 'TASK_STATE_WONDER' })).tasks).toEqual([]);
});

test('who stands behind the caller is an author of the run, and nobody else', async () => {
  const world = await serveA2a(files());
  const metadata = { skill: 'release', swarmkit: { on_behalf_of: ['qa-1', { identity: 'carol' }] } };
  const { result } = await world.rpc('message/send', { ...said('x', { metadata }), configuration: { blocking: true } });
  expect(result.status.state).toBe('input-required');
  const job = await world.job(result.id);
  expect(job.earlier.map(({ submittedBy }) => submittedBy)).toEqual([
    { identity: 'qa-1', assurance: 'asserted' },
    { identity: 'carol', assurance: 'asserted' },
  ]);
  const [item] = (
    await world.app.review.list({
      ...{ workspace: world.workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null },
    })
  ).items.filter(({ id }) => id.endsWith('qa'));
  const sign = (identity: string) =>
    world.app.review.resolve({
      ...{ workspace: world.workspace, item: item?.id ?? '', identity, outcome: 'approve', comment: '' },
      auth: { via: 'http', assurance: 'authenticated', provider: 'test' } as never,
    });
  await expect(sign('qa-1')).rejects.toMatchObject({ message: expect.stringContaining('in the name of') });
});
