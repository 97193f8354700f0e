import { createHmac } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/triggers/src/mounts/triggers.js';
import { KitError } from '../../../src/domain/errors.js';
import { as, serveGroup } from '../../support/http/serve-group.js';
import { openTriggerTest, type TriggerTestOptions } from '../../support/triggers/trigger-world.js';

const SECRET = 'a-long-shared-secret';
const signed = (body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

const webhook = (targets: string, auth = 'auth: { method: hmac, credentials_ref: hook }', more = ''): string =>
  `type: webhook\ntargets: [${targets}]\nconfig: { ${auth} }\n${more}`;
const SIGNED = webhook('main');
const OPEN = webhook('main', '');
const EVENT = webhook('{ pipeline: oms, emit: build.ready }');

async function serve(options: Partial<TriggerTestOptions> & Pick<TriggerTestOptions, 'triggers'>) {
  const test = await openTriggerTest({ secrets: { hook: SECRET }, ...options });
  const server = await serveGroup(contribution, { triggers: test.app }, 'run');
  const post = (url: string, payload: string | Uint8Array, headers: Record<string, string> = {}) => {
    const request: InjectOptions = {
      method: 'POST',
      url,
      payload: typeof payload === 'string' ? payload : Buffer.from(payload),
      headers,
    };
    return server.inject(request);
  };
  const deliver = (
    name: string,
    payload: string | Uint8Array,
    headers: Record<string, string> = { 'x-hub-signature-256': signed(payload) },
  ) => post(`/hooks/${name}`, payload, headers);
  return { ...test, server, post, deliver };
}

describe('POST /hooks/{name}', () => {
  it('starts the topology of a webhook that verifies the delivery itself, without a key', async () => {
    const { deliver, submitted, audit } = await serve({ triggers: { pr: SIGNED } });
    const answer = await deliver('main', '{"input":"hello"}');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      id: '000000000001',
      job_id: '000000000001',
      status: 'pending',
      topology: 'main',
      input: 'hello',
      source: 'trigger:pr',
    });
    expect(answer.headers.location).toBe('/jobs/000000000001');
    expect(submitted[0]).toMatchObject({ submittedBy: { identity: 'trigger:pr', assurance: 'system' } });
    expect(await audit()).toEqual([
      {
        trigger: 'pr',
        type: 'webhook',
        occurrence: null,
        by: null,
        targets: [{ target: 'main', job_id: '000000000001', refused: null }],
      },
    ]);
  });

  it.each([
    ['no signature', {}],
    ['a wrong one', { 'x-hub-signature-256': signed('another body') }],
    ['a key of the server in its place', { ...as('admin') }],
  ])('refuses a delivery with %s before it looks at the body', async (_what, headers) => {
    const { deliver, submitted, audit } = await serve({ triggers: { pr: SIGNED } });
    const refused = await deliver('main', 'not even JSON {', headers);
    expect(refused.json()).toMatchObject({ status: 401, code: 'signature-invalid' });
    expect([submitted, await audit()]).toEqual([[], []]);
  });

  it.each([
    ['the member input of an object', '{"input":"a","other":1}', 'a'],
    ['an input that is not text', '{"input":{"n":[1]}}', { n: [1] }],
    ['an input that is null', '{"input":null}', null],
    ['an object without input, as text', '{ "pull_request": 7 }', '{ "pull_request": 7 }'],
    ['a list, as text', '[1, 2]', '[1, 2]'],
    ['what is not JSON, as text', 'payload=%7B%7D', 'payload=%7B%7D'],
    ['nothing', '', ''],
    ['letters of the world', '{"input":"\u00fcml\u00e4ut \u65e5"}', '\u00fcml\u00e4ut \u65e5'],
  ])('takes %s for the input', async (_what, body, input) => {
    const { deliver, submitted } = await serve({ triggers: { pr: SIGNED } });
    expect((await deliver('main', body)).statusCode).toBe(200);
    expect(submitted.map((run) => run.input)).toEqual([input]);
  });

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.github+json; charset=utf-8',
    'nonsense',
    undefined,
  ])('takes bytes that call themselves %s', async (type) => {
    const { deliver, submitted } = await serve({ triggers: { pr: SIGNED } });
    const body = '{"input":"x"}';
    const answer = await deliver('main', body, {
      'x-hub-signature-256': signed(body),
      ...(type === undefined ? {} : { 'content-type': type }),
    });
    expect(answer.statusCode).toBe(200);
    expect(submitted.map(({ input }) => input)).toEqual(['x']);
  });

  it('refuses bytes that are not text, once they are verified', async () => {
    const { deliver, submitted } = await serve({ triggers: { pr: SIGNED } });
    const refused = await deliver('main', Uint8Array.from([0xff, 0xfe, 0x00, 0x80]));
    expect(refused.json()).toMatchObject({ status: 400, code: 'request-malformed' });
    expect(submitted).toEqual([]);
  });

  it('refuses a body that is too large', async () => {
    const { deliver, submitted } = await serve({ triggers: { pr: SIGNED } });
    expect((await deliver('main', 'x'.repeat(1024 * 1024 + 1))).json()).toMatchObject({
      status: 413,
      code: 'request-too-large',
    });
    expect(submitted).toEqual([]);
  });

  it('answers 503 while the secret is not set', async () => {
    const { deliver, submitted, app } = await serve({ triggers: { pr: SIGNED }, secrets: {} });
    expect((await deliver('main', '{}')).json()).toMatchObject({
      status: 503,
      code: 'secret-missing',
      // Whoever sends it need not know what the operator has to set.
      detail: expect.not.stringContaining('`hook`'),
    });
    expect(await app.list({ workspace: '/workspace' })).toMatchObject([
      { id: 'pr', active: false, reason: expect.stringContaining('`hook`') },
    ]);
    expect(submitted).toEqual([]);
  });

  it('takes the older form, whose secret is an environment variable', async () => {
    const { deliver, submitted } = await serve({
      triggers: { old: 'topology: main\nsecret: HOOK_SECRET\n' },
      env: { HOOK_SECRET: SECRET },
    });
    expect((await deliver('main', '{"input":"x"}')).statusCode).toBe(200);
    expect((await deliver('main', '{"input":"x"}', {})).statusCode).toBe(401);
    expect(submitted).toHaveLength(1);
  });

  it('stays behind the key when the trigger declares no auth, and the holder of the key is the author', async () => {
    const { deliver, submitted } = await serve({ triggers: { plain: OPEN } });
    expect((await deliver('main', '{}')).statusCode).toBe(401);
    expect((await deliver('main', '{}', as('read'))).statusCode).toBe(403);
    expect((await deliver('main', '{}', as('run', 'bob'))).statusCode).toBe(200);
    expect(submitted).toMatchObject([
      { source: 'trigger:plain', submittedBy: { identity: 'bob', assurance: 'authenticated' } },
    ]);
  });

  it('is public only when every enabled trigger of the name verifies', async () => {
    const { deliver, submitted } = await serve({ triggers: { plain: OPEN, pr: SIGNED } });
    const body = '{"input":"x"}';
    expect((await deliver('main', body)).statusCode).toBe(401);
    expect((await deliver('main', body, as('run', 'bob'))).statusCode).toBe(200);
    expect((await deliver('main', body, { ...as('run', 'bob'), 'x-hub-signature-256': signed(body) })).statusCode).toBe(
      200,
    );
    expect(submitted.map(({ source, submittedBy }) => [source, submittedBy.identity])).toEqual([
      ['trigger:plain', 'bob'],
      ['trigger:pr', 'trigger:pr'],
    ]);
  });

  it('passes a delivery that any of its triggers verifies, and starts what that one names', async () => {
    const { deliver, submitted } = await serve({
      triggers: { a: SIGNED, b: webhook('second, main@1.0.0', 'auth: { method: api_key, credentials_ref: other }') },
      secrets: { hook: SECRET, other: 'another-secret' },
    });
    expect((await deliver('main', 'x', { 'x-api-key': 'another-secret' })).statusCode).toBe(200);
    expect((await deliver('main', 'x', { 'x-api-key': SECRET })).statusCode).toBe(401);
    expect(submitted.map(({ topology, source }) => [topology, source])).toEqual([['main@1.0.0', 'trigger:b']]);
  });

  it('takes nothing for a disabled trigger, with or without a key', async () => {
    const { deliver, submitted } = await serve({
      triggers: { pr: webhook('main', 'auth: { method: hmac, credentials_ref: hook }', 'enabled: false\n') },
    });
    expect((await deliver('main', 'x')).statusCode).toBe(401);
    expect((await deliver('main', 'x', as('run'))).json()).toMatchObject({ status: 404, code: 'trigger-unknown' });
    expect(submitted).toEqual([]);
  });

  it('starts a topology that no webhook names for whoever holds a key', async () => {
    const { deliver, submitted, audit } = await serve({ triggers: { pr: SIGNED } });
    expect((await deliver('second', 'x')).statusCode).toBe(401);
    expect((await deliver('second', 'x', as('run', 'bob'))).statusCode).toBe(200);
    expect((await deliver('main@1.0.0', 'x', as('run', 'bob'))).statusCode).toBe(200);
    expect(submitted.map(({ topology, source, submittedBy }) => [topology, source, submittedBy.identity])).toEqual([
      ['second', 'serve', 'bob'],
      ['main@1.0.0', 'serve', 'bob'],
    ]);
    expect(await audit()).toEqual([]);
  });

  it.each(['nothing', 'nightly', 'a%2Fb', '@', 'main@9.9.9'])('knows no hook %s', async (name) => {
    const { deliver } = await serve({
      triggers: { nightly: "type: cron\ntargets: [main]\nconfig: { expression: '0 6 * * *' }\n" },
    });
    expect((await deliver(name, 'x')).statusCode).toBe(401);
    expect((await deliver(name, 'x', as('run'))).json()).toMatchObject({ status: 404, code: 'topology-unknown' });
  });

  it.each([
    ['/body/input/n', '{"input":{"n":"one"}}'],
    ['/body/n', '{"n":"one"}'],
  ])('says where in the body the input does not fit, as a submit does: %s', async (pointer, body) => {
    const errors = [{ pointer: '/n', message: 'must be integer' }];
    const refuse = { main: new KitError('KIT_INPUT_INVALID', 'the input does not fit', { data: { errors } }) };
    const { deliver } = await serve({ triggers: { pr: SIGNED }, refuse });
    expect((await deliver('main', body)).json()).toMatchObject({
      code: 'input-invalid',
      errors: [{ pointer, message: 'must be integer', code: 'input_schema' }],
    });
  });

  it('answers what refused the run, and audits it', async () => {
    const refuse = { main: new KitError('KIT_INPUT_INVALID', 'the input does not fit') };
    const { deliver, audit } = await serve({ triggers: { pr: SIGNED }, refuse });
    expect((await deliver('main', '{}')).json()).toMatchObject({ status: 422, code: 'input-invalid' });
    expect(await audit()).toMatchObject([
      { trigger: 'pr', targets: [{ target: 'main', job_id: null, refused: 'KIT_INPUT_INVALID' }] },
    ]);
  });

  it('is shut when the type of its trigger cannot be loaded', async () => {
    const broken = {
      webhook: { $$type: 'kit.triggers', version: 1, create: () => Promise.reject(new Error('broken')) },
    } as const;
    const { deliver } = await serve({ triggers: { pr: SIGNED }, types: broken });
    expect((await deliver('main', 'x')).statusCode).toBe(401);
    expect((await deliver('main', 'x', as('run'))).json()).toMatchObject({ status: 503, code: 'secret-missing' });
  });

  it('does not let a type that throws stand for one that verifies', async () => {
    const throwing = {
      webhook: {
        $$type: 'kit.triggers',
        version: 1,
        create: () => ({ ready: async () => null, verify: async () => Promise.reject(new Error('broken')) }),
      },
    } as const;
    const { deliver, submitted } = await serve({ triggers: { pr: SIGNED }, types: throwing });
    expect((await deliver('main', 'x')).json()).toMatchObject({ status: 503 });
    expect(submitted).toEqual([]);
  });
});

describe('POST /hooks/{trigger id} of events', () => {
  const body = JSON.stringify({ correlation_id: 'c-1', source_event_id: 'e-1' });

  it('refuses a body that is nested beyond bounds', async () => {
    const { deliver, emitted } = await serve({
      triggers: { ready: webhook('{ pipeline: oms, emit: build.ready, correlation_id: $..id }') },
    });
    const answer = await deliver('ready', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(answer.json()).toMatchObject({ status: 400, code: 'request-malformed' });
    expect(emitted).toEqual([]);
  });

  it('hands the event on and says which', async () => {
    const { deliver, emitted, audit, submitted } = await serve({ triggers: { ci: EVENT } });
    const answer = await deliver('ci', body);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      delivered: true,
      trigger: 'ci',
      source: 'webhook:ci',
      signals: [{ pipeline: 'oms', correlation_id: 'c-1', event: 'build.ready' }],
    });
    expect(emitted).toEqual([
      {
        workspace: '/workspace',
        trigger: 'ci',
        pipeline: 'oms',
        event: 'build.ready',
        correlationId: 'c-1',
        sourceEventId: 'e-1',
      },
    ]);
    expect(submitted).toEqual([]);
    expect(await audit()).toMatchObject([
      { trigger: 'ci', targets: [{ target: 'oms:build.ready', job_id: null, refused: null }] },
    ]);
  });

  it('finds the correlation id where the file says', async () => {
    const { deliver, emitted } = await serve({
      triggers: { ci: webhook('{ pipeline: oms, emit: build.ready, correlation_id: "$.builds[0].ref" }') },
    });
    expect((await deliver('ci', '{"builds":[{"ref":42}]}')).statusCode).toBe(200);
    expect(emitted.map(({ correlationId }) => correlationId)).toEqual(['42']);
  });

  it.each([
    ['a list', '[1]', 400],
    ['a text', '"x"', 400],
    ['no JSON', 'x', 400],
    ['nothing', '', 400],
    ['no correlation id', '{}', 400],
    ['a correlation id that is a flag', '{"correlation_id":true}', 400],
    ['a correlation id that is an object', '{"correlation_id":{}}', 400],
    ['the wish to advance', '{"correlation_id":"c","mode":"advance"}', 403],
    ['the wish to skip', '{"correlation_id":"c","mode":"skip"}', 403],
  ])('refuses %s', async (_what, payload, status) => {
    const { deliver, emitted } = await serve({ triggers: { ci: EVENT } });
    expect((await deliver('ci', payload)).statusCode).toBe(status);
    expect(emitted).toEqual([]);
  });

  it('is verified like any other hook', async () => {
    const { deliver, emitted } = await serve({ triggers: { ci: EVENT } });
    expect((await deliver('ci', body, {})).json()).toMatchObject({ status: 401, code: 'signature-invalid' });
    expect(emitted).toEqual([]);
  });

  it('answers 503 where nobody listens', async () => {
    const { deliver } = await serve({
      triggers: { ci: EVENT },
      emit: () => Promise.reject(new KitError('KIT_NO_LISTENER', 'this application listens to no events')),
    });
    expect((await deliver('ci', body)).json()).toMatchObject({ status: 503, code: 'no-listener' });
  });

  it('starts the topology alone when one trigger has both kinds of target', async () => {
    const { deliver, emitted, submitted } = await serve({
      triggers: { both: webhook('main, second, { pipeline: oms, emit: build.ready }') },
    });
    expect((await deliver('main', body)).json()).toMatchObject({ topology: 'main' });
    expect([submitted.length, emitted.length]).toEqual([1, 0]);
    expect((await deliver('both', body)).json()).toMatchObject({ delivered: true });
    expect([submitted.length, emitted.length]).toEqual([1, 1]);
  });
});

describe('GET /triggers and POST /triggers/{id}/fire', () => {
  const CRON = "type: cron\ntargets: [main, second]\nconfig: { expression: '0 * * * *' }\n";

  it('lists triggers as they are', async () => {
    const { server } = await serve({ triggers: { nightly: CRON, ci: EVENT } });
    expect((await server.inject({ url: '/triggers' })).statusCode).toBe(401);
    expect((await server.inject({ url: '/triggers', headers: as('read') })).json()).toEqual([
      {
        id: 'ci',
        type: 'webhook',
        provider_id: null,
        enabled: true,
        active: true,
        reason: null,
        targets: [],
        pipeline_targets: [{ pipeline: 'oms', emit: 'build.ready', correlation_id: '$.correlation_id' }],
        config: { auth: { method: 'hmac', credentials_ref: 'hook' } },
        next_fire_at: null,
      },
      {
        id: 'nightly',
        type: 'cron',
        provider_id: null,
        enabled: true,
        active: true,
        reason: null,
        targets: ['main', 'second'],
        pipeline_targets: [],
        config: { expression: '0 * * * *' },
        next_fire_at: '2026-01-02T04:00:00.000Z',
      },
    ]);
  });

  it('fires one by hand for the caller', async () => {
    const { post, submitted } = await serve({ triggers: { nightly: CRON } });
    const json = { 'content-type': 'application/json' };
    expect((await post('/triggers/nightly/fire', '{}', { ...as('read'), ...json })).statusCode).toBe(403);
    const answer = await post('/triggers/nightly/fire', '{"input":{"a":1}}', { ...as('run', 'bob'), ...json });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      trigger: 'nightly',
      type: 'cron',
      targets: [
        { target: 'main', job_id: '000000000001', refused: null },
        { target: 'second', job_id: '000000000002', refused: null },
      ],
    });
    expect(submitted[0]).toMatchObject({
      input: { a: 1 },
      submittedBy: { identity: 'bob', assurance: 'authenticated' },
    });
    expect((await post('/triggers/nightly/fire', '', as('run'))).statusCode).toBe(200);
    expect(submitted[2]).toMatchObject({ input: 'trigger:nightly' });
  });

  it('refuses what it does not know, what is disabled, and a body that is none', async () => {
    const { post } = await serve({ triggers: { nightly: `${CRON}enabled: false\n` } });
    expect((await post('/triggers/nightly/fire', '', as('run'))).json()).toMatchObject({
      status: 409,
      code: 'trigger-disabled',
    });
    expect((await post('/triggers/none/fire', '', as('run'))).json()).toMatchObject({
      status: 404,
      code: 'trigger-unknown',
    });
    const json = { ...as('run'), 'content-type': 'application/json' };
    expect((await post('/triggers/nightly/fire', '[1]', json)).statusCode).toBe(422);
    expect((await post('/triggers/nightly/fire', '{', json)).statusCode).toBe(400);
  });

  it('says per target what was refused, and refuses as a whole when nothing was started', async () => {
    const full = new KitError('KIT_CAPACITY', 'every slot is taken', { data: { retryAfterSeconds: 3 } });
    const one = await serve({ triggers: { nightly: CRON }, refuse: { main: full } });
    expect((await one.post('/triggers/nightly/fire', '', as('run'))).json()).toMatchObject({
      targets: [
        { target: 'main', job_id: null, refused: { code: 'capacity', detail: 'every slot is taken' } },
        { refused: null },
      ],
    });
    const all = await serve({ triggers: { nightly: CRON }, refuse: { main: full, second: full } });
    expect((await all.post('/triggers/nightly/fire', '', as('run'))).json()).toMatchObject({
      status: 429,
      code: 'capacity',
    });
  });
});
