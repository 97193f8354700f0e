import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_REQUEST } from '../../../plugins/serve/src/mounts/runs/run-request.js';
import { dropNulls } from '../../../plugins/serve/src/server/absent-nulls.js';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { bundledGroups } from '../../support/http/bundled-groups.js';
import { type TokenCallers, tokenCallers } from '../../support/http/token-callers.js';
import { noApp } from '../../support/http/turned-away.js';

let server: FastifyInstance;
let callers: TokenCallers;
beforeAll(async () => {
  callers = await tokenCallers();
  server = await createServer({
    workspace: '/w',
    auth: callers.auth,
    groups: await bundledGroups(noApp(async () => 'public')),
  });
});
afterAll(() => server.close());

const post = (payload: string | Buffer, contentType = 'application/json', url = '/run/t') =>
  server.inject({ method: 'POST', url, payload, headers: { ...callers.headers.admin, 'content-type': contentType } });

describe('a body that is not text', () => {
  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['half of a pair in a value', '{"input":"\\ud800"}'],
    ['half of a pair in a name', '{"input":{"\\udfff":1}}'],
    ['half of a pair deep inside', `{"input":${'['.repeat(5000)}"\\uDAAA"${']'.repeat(5000)}}`],
  ])('is refused and not fixed: %s', async (_what, payload) => {
    expect((await post(payload)).json()).toMatchObject({
      status: 400,
      code: 'request-malformed',
      hint: 'Send JSON in UTF-8.',
    });
  });

  it('a whole pair is text', async () => {
    expect((await post('{"input":"\\ud83d\\ude00"}')).json()).not.toMatchObject({ code: 'request-malformed' });
  });
});

it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/xml'])(
  'a body of the media type %s is 415',
  async (contentType) => {
    expect((await post('input=x', contentType)).json()).toMatchObject({
      status: 415,
      code: 'media-type-unsupported',
      hint: expect.stringContaining('application/json'),
    });
  },
);

describe('where there is no route, nothing of a body is judged', () => {
  it.each([
    ['application/json', '{'],
    ['text/plain', 'x'],
    ['/', '{}'],
    ['x', '{}'],
    ['', '{}'],
  ])('type "%s", body %s', async (contentType, payload) => {
    expect((await post(payload, contentType, '/run//t')).json()).toMatchObject({ status: 404, code: 'route-unknown' });
    expect((await post(payload, contentType, '/jobs')).json()).toMatchObject({
      status: 405,
      code: 'method-not-allowed',
    });
  });
});

describe('a member that is null', () => {
  it('is absent where null is not a value of it', () => {
    const body = { input: null, labels: null, attachments: [{ path: null, data: 'x', name: null, handling: null }] };

    dropNulls(body, RUN_REQUEST);

    expect(body).toEqual({ input: null, labels: null, attachments: [{ data: 'x' }] });
  });

  it('stays where the schema says nothing of its type, or names null', () => {
    const body = { any: null, word: null, other: null, no: null, list: [null] };

    dropNulls(body, {
      properties: {
        any: {},
        word: { enum: ['a', null] },
        other: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        no: { enum: ['a'] },
      },
    });

    expect(body).toEqual({ any: null, word: null, other: null, list: [null] });
  });

  it('reaches the use case of a decision as one that was not sent', async () => {
    const refused = await post('{"outcome":"approve","comment":null}', 'application/json', '/review/x/resolve');

    expect(refused.json()).not.toMatchObject({ code: 'request-invalid' });
  });
});
