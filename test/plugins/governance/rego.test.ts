import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Opa, startOpa } from '../../support/components/opa.js';
import { opaBundle, opaModule } from '../../support/opa-module.js';
import { agtWorld } from './agt-world.js';

/**
 * Rego with the names that kit's policies see. Sets without a comprehension, as OPA 0.47 writes
 * them.
 */
const RULES = `default allow = {"allow": false, "reason": "not for you"}
allow = true { input.effects == "read" }
allow = {"ask": true, "reason": "a release manager decides"} { input.action == "command:call:git:push"; input.agent == "lead" }
allow = {"allow": false, "reason": "needs the release scope", "needs": ["repo:release"]} { input.kind == "skill:call"; input.effects != "read" }`;

let opa: Opa;

beforeAll(async () => {
  opa = await startOpa(RULES);
}, 60_000);

afterAll(() => opa.close());

describe('a running OPA', () => {
  it('decides by Rego: allow, ask with its reason, deny with what is needed', async () => {
    await opa.behave(null);
    const world = await agtWorld({}, { policy_language: 'rego', opa_url: opa.url });

    expect(await world.check()).toEqual([]);
    expect(await world.decide({ context: { effects: 'read' } })).toEqual({
      verdict: 'allow',
      policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await world.decide({ agentId: 'lead' })).toMatchObject({
      verdict: 'ask',
      reason: 'a release manager decides',
    });
    expect(await world.decide({ action: 'skill:call:publish' })).toMatchObject({
      verdict: 'deny',
      reason: 'needs the release scope',
      needs: ['repo:release'],
    });
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: 'not for you' });
  });

  it.each([
    { name: 'fails', answer: { status: 500, body: '{"result":true}' } },
    { name: 'knows no such document', answer: { status: 200, body: '{}' } },
    { name: 'answers with prose', answer: { status: 200, body: 'allow' } },
    { name: 'answers with a word', answer: { status: 200, body: '{"result":"true"}' } },
    { name: 'answers with a list', answer: { status: 200, body: '{"result":[true]}' } },
    { name: 'sends elsewhere', answer: { status: 302, body: '{"result":true}' } },
  ])('that $name has allowed nothing', async ({ answer }) => {
    await opa.behave(answer);
    const world = await agtWorld({}, { policy_language: 'rego', opa_url: opa.url });

    expect(await world.decide({ context: { effects: 'read' } })).toMatchObject({ verdict: 'deny', needs: [] });
  });

  it('that does not run denies, and says so', async () => {
    const closed = createNetServer();
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => {
        const address = closed.address();
        closed.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      }),
    );
    const world = await agtWorld(
      {},
      { policy_language: 'rego', opa_url: `http://127.0.0.1:${port}/v1/data/kit/authz` },
    );

    expect(await world.decide()).toMatchObject({
      verdict: 'deny',
      reason: 'the OPA server cannot be reached (ECONNREFUSED)',
    });
  });
});

describe('an OPA that does not stop talking', () => {
  it('has allowed nothing, and is left after what a decision may be long', async () => {
    let written = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"result": true, "more": "');
      const more = 'x'.repeat(64 * 1024);
      const go = (): void => {
        while (!response.destroyed && response.write(more)) written += more.length;
        written += more.length;
      };
      response.on('drain', go);
      go();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const world = await agtWorld(
        {},
        { policy_language: 'rego', opa_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/data/a` },
      );

      expect(await world.decide({ context: { effects: 'read' } })).toMatchObject({ verdict: 'deny', needs: [] });
      expect(written).toBeLessThan(64 * 1024 * 1024);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }, 10_000);
});

describe('a bundle', () => {
  const module = opaModule({
    entrypoints: ['kit/authz/allow', 'kit/authz/strict'],
    rules: [
      { entrypoint: 0, of: 'input', holds: '"effects":"read"', result: true },
      {
        entrypoint: 0,
        of: 'input',
        holds: '"agent":"lead"',
        result: { ask: true, reason: 'a release manager decides' },
      },
      {
        entrypoint: 0,
        of: 'input',
        holds: '"kind":"skill:call"',
        result: { allow: false, reason: 'needs a scope', needs: ['repo:release'] },
      },
      { entrypoint: 0, of: 'data', holds: '"open":true', result: { allow: true } },
      { entrypoint: 1, of: 'input', holds: '"role":"root"', result: true },
    ],
  });
  const rego = { policy_language: 'rego' };
  const bundle = (data: object) => ({
    'authz.tar.gz': opaBundle({ '/data.json': JSON.stringify(data), '/policy.wasm': module, '/.manifest': '{}' }),
  });

  it.each([
    { name: 'as opa build writes it', files: bundle({ open: false }) },
    { name: 'as the module alone', files: { 'authz.wasm': module } },
  ])('$name decides through the ABI of OPA: input in, result out', async ({ files }) => {
    const world = await agtWorld(files, rego);

    expect(await world.check()).toEqual([]);
    expect(await world.decide({ context: { effects: 'read' } })).toEqual({
      verdict: 'allow',
      policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await world.decide({ agentId: 'lead' })).toMatchObject({
      verdict: 'ask',
      reason: 'a release manager decides',
    });
    expect(await world.decide({ action: 'skill:call:publish' })).toMatchObject({
      verdict: 'deny',
      reason: 'needs a scope',
      needs: ['repo:release'],
    });
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: 'the policy gave no decision' });
  });

  it('decides with its data', async () => {
    const world = await agtWorld(bundle({ open: true }), rego);
    await world.check();

    expect(await world.decide()).toMatchObject({ verdict: 'allow' });
  });

  it('decides under the entrypoint that the workspace names, and one that it does not have is named', async () => {
    const strict = await agtWorld(bundle({}), { ...rego, entrypoint: 'kit/authz/strict' });
    const unknown = await agtWorld(bundle({}), { ...rego, entrypoint: 'kit/authz/none' });
    await strict.check();

    expect(await strict.decide({ context: { effects: 'read', role: 'root' } })).toMatchObject({ verdict: 'allow' });
    expect(await strict.decide({ context: { effects: 'read' } })).toMatchObject({ verdict: 'deny' });
    expect(await unknown.check()).toMatchObject([
      {
        code: 'policy.unparsable',
        message: expect.stringContaining('no entrypoint kit/authz/none; it has kit/authz/allow, kit/authz/strict'),
      },
    ]);
  });

  it('keeps its decisions apart, however many there are', async () => {
    const world = await agtWorld(bundle({ open: false }), rego);
    await world.check();
    const verdicts: string[] = [];
    for (let n = 0; n < 2000; n += 1)
      verdicts.push(
        (await world.decide({ context: { effects: n % 2 === 0 ? 'read' : 'write', skill: `s${n}` } })).verdict,
      );

    expect(verdicts).toEqual(Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? 'allow' : 'deny')));
  });

  it('that needs a function which is not there denies, and says which', async () => {
    const needy = opaModule({
      entrypoints: ['kit/authz/allow'],
      rules: [{ entrypoint: 0, of: 'input', holds: 'agent', result: undefined }],
      builtins: ['http.send'],
    });
    const world = await agtWorld({ 'authz.wasm': needy }, rego);

    expect(await world.check()).toEqual([]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('http.send') });
  });

  it('beside a second one is refused: one decides', async () => {
    const world = await agtWorld({ ...bundle({}), 'other.wasm': module }, rego);

    expect(await world.check()).toMatchObject([{ code: 'policy.unparsable', path: 'policies/other.wasm' }]);
  });

  it('without a module, or with data that is not an object, is named', async () => {
    const none = await agtWorld(
      { 'authz.tar.gz': opaBundle({ '/data.json': '{}', '/policy.rego': 'package a' }) },
      rego,
    );
    const list = await agtWorld({ 'authz.tar.gz': opaBundle({ '/data.json': '1', '/policy.wasm': module }) }, rego);

    expect(await none.check()).toMatchObject([{ message: expect.stringContaining('build it with `-t wasm`') }]);
    expect(await list.check()).toMatchObject([{ message: expect.stringContaining('data.json') }]);
  });
});

describe('Rego files', () => {
  it('as source text are refused with the command that compiles them', async () => {
    const world = await agtWorld({ 'authz.rego': 'package kit.authz\nallow := true\n' }, { policy_language: 'rego' });

    expect(await world.check()).toEqual([
      {
        code: 'policy.not-compiled',
        path: 'policies/authz.rego',
        line: null,
        message: 'Rego source text is not evaluated here',
        help: 'compile it: opa build -t wasm -e kit/authz/allow -o policies/authz.tar.gz policies/authz.rego',
      },
    ]);
    expect(await world.decide({ context: { effects: 'read' } })).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    { name: 'no archive', bytes: 'not a gzip' },
    { name: 'an empty file', bytes: '' },
  ])('that are $name are named', async ({ bytes }) => {
    const world = await agtWorld({ 'authz.tar.gz': bytes }, { policy_language: 'rego' });

    expect(await world.check()).toMatchObject([
      { code: 'policy.unparsable', path: 'policies/authz.tar.gz', message: expect.stringContaining('cannot be used') },
    ]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny' });
  });
});
