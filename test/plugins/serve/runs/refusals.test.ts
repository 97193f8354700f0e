import { symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submitted } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { makeDirectory, openServeScene, type ServeScene } from '../../../support/http/serve-scene.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A few bytes that declare 3.6 billion pixels. */
const BOMB = Buffer.from(PNG);
BOMB.writeUInt32BE(60_000, 16);
BOMB.writeUInt32BE(60_000, 20);
const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');
const attached = (...attachments: readonly object[]): object => ({ input: 'x', attachments });

/** An adapter of the workspace that nobody approved on this machine. */
const UNTRUSTED = {
  'adapters/own.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'ExecutorAdapter',
    metadata: { id: 'own', name: 'Own', description: 'Of this workspace.' },
    spec: {
      launch: { command: ['sh', '-c', 'true', 'own', '{task.statement}'] },
      stream: { format: 'jsonl' },
      event_map: [
        { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
      ],
    },
    provenance: { authored_by: 'human', version: '1.0.0' },
  }),
  'archetypes/runner.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Archetype',
    metadata: { id: 'runner', name: 'Runner', description: 'Runs the adapter.' },
    role: 'root',
    defaults: {},
    executor: { kind: 'harness', ref: 'own', config: {} },
    provenance: { authored_by: 'human', version: '1.0.0' },
  }),
  'topologies/own.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'own', version: '1.0.0' },
    agents: { root: { id: 'runner', role: 'root', archetype: 'runner' } },
  }),
};

const WORKSPACE = idleWorkspace({
  files: {
    ...UNTRUSTED,
    'topologies/shaped.yaml': idleTopology('shaped', {
      input_schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    }),
    'images/dot.png': PNG,
    'images/text.png': 'no image at all',
    'images/page.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'images/zipped.png': deflateSync(Buffer.alloc(10_000_000)),
    'images/gzip.gz': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
    'images/empty.png': '',
    'images/huge.png': Buffer.concat([PNG, Buffer.alloc(2000)]),
  },
});

const NESTED = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);

type Row = readonly [what: string, topology: string, body: object, status: number, code: string, detail: RegExp];

const ROWS: readonly Row[] = [
  ['an unknown topology', 'nobody', { input: 'x' }, 404, 'topology-unknown', /idle@1\.0\.0/],
  ['an unknown version', 'idle@9.9.9', { input: 'x' }, 404, 'topology-unknown', /idle@9\.9\.9/],
  [
    'an unknown topology before a bad input',
    'nobody',
    { input: 'x', attachments: [{ type: 'a' }] },
    404,
    'topology-unknown',
    /nobody/,
  ],
  ['no input', 'idle', {}, 422, 'request-invalid', /input/],
  ['an input that does not fit', 'shaped', { input: { n: 'one' } }, 422, 'input-invalid', /\/n/],
  ['a text that is not JSON', 'shaped', { input: 'one' }, 422, 'input-invalid', /not JSON/],
  [
    'a misfit before a bad attachment',
    'shaped',
    { input: { n: 'one' }, attachments: [{ type: 'x' }] },
    422,
    'input-invalid',
    /\/n/,
  ],
  ['an input that is nested too deeply', 'idle', { input: NESTED }, 422, 'request-invalid', /nested/],
  [
    'an attachment that is nested too deeply',
    'idle',
    attached({ data: b64(PNG), colour: NESTED }),
    422,
    'request-invalid',
    /attachments is nested/,
  ],
  ['a NUL in the input', 'idle', { input: 'a\u0000b' }, 422, 'request-invalid', /NUL/],
  ['labels that are not texts', 'idle', { input: 'x', labels: { a: 1 } }, 422, 'request-invalid', /labels\/a/],
  [
    'too many labels',
    'idle',
    { input: 'x', labels: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v'])) },
    422,
    'request-invalid',
    /labels/,
  ],
  [
    'a label key that is too long',
    'idle',
    { input: 'x', labels: { ['k'.repeat(129)]: 'v' } },
    422,
    'request-invalid',
    /labels/,
  ],
  [
    'a label value that is too long',
    'idle',
    { input: 'x', labels: { k: 'v'.repeat(1025) } },
    422,
    'request-invalid',
    /labels\/k/,
  ],
  ['steps that are not a number', 'idle', { input: 'x', max_steps: 'many' }, 422, 'request-invalid', /max_steps/],
  [
    'a correlation id that is not text',
    'idle',
    { input: 'x', correlation_id: 7 },
    422,
    'request-invalid',
    /correlation_id/,
  ],
  ['an adapter that nobody approved', 'own', { input: 'x' }, 422, 'adapter-untrusted', /own .*starts: sh -c/],
  [
    'an attachment with a type',
    'idle',
    attached({ data: b64(PNG), type: 'image/png' }),
    422,
    'attachment-invalid',
    /"type"/,
  ],
  [
    'an attachment with a url',
    'idle',
    attached({ url: 'http://example.com/a.png' }),
    422,
    'attachment-invalid',
    /"url"/,
  ],
  [
    'an attachment with another member',
    'idle',
    attached({ data: b64(PNG), colour: 'red' }),
    422,
    'attachment-invalid',
    /"colour"/,
  ],
  [
    'an attachment without content',
    'idle',
    attached({ name: 'a' }),
    422,
    'attachment-invalid',
    /neither path nor data/,
  ],
  [
    'an attachment with both contents',
    'idle',
    attached({ path: 'images/dot.png', data: b64(PNG) }),
    422,
    'attachment-invalid',
    /both path and data/,
  ],
  [
    'an attachment that is not an object',
    'idle',
    { input: 'x', attachments: ['images/dot.png'] },
    422,
    'request-invalid',
    /attachments\/0/,
  ],
  [
    'an unknown handling',
    'idle',
    attached({ path: 'images/dot.png', handling: 'later' }),
    422,
    'request-invalid',
    /handling/,
  ],
  ['an absolute path', 'idle', attached({ path: '/etc/hostname' }), 422, 'attachment-invalid', /absolute|workspace/],
  [
    'a path out of the workspace',
    'idle',
    attached({ path: '../../../../etc/hostname' }),
    422,
    'attachment-invalid',
    /workspace/,
  ],
  [
    'a path that goes out and comes back',
    'idle',
    attached({ path: 'images/../../x/dot.png' }),
    422,
    'attachment-invalid',
    /attachment 1/,
  ],
  [
    'a symlink out of the workspace',
    'idle',
    attached({ path: 'images/link.png' }),
    422,
    'attachment-invalid',
    /workspace/,
  ],
  [
    'a file below a linked folder',
    'idle',
    attached({ path: 'outside/secret.png' }),
    422,
    'attachment-invalid',
    /workspace/,
  ],
  ['a file that is not there', 'idle', attached({ path: 'images/none.png' }), 422, 'attachment-invalid', /none\.png/],
  ['a folder', 'idle', attached({ path: 'images' }), 422, 'attachment-invalid', /images/],
  [
    'a NUL in a path',
    'idle',
    attached({ path: 'images/dot.png\u0000.txt' }),
    422,
    'attachment-invalid',
    /attachment 1/,
  ],
  ['base64 that is none', 'idle', attached({ data: '!!!' }), 422, 'attachment-invalid', /base64/],
  ['an empty file', 'idle', attached({ path: 'images/empty.png' }), 422, 'attachment-invalid', /empty/],
  ['a text that is called an image', 'idle', attached({ path: 'images/text.png' }), 422, 'attachment-invalid', /text/],
  ['a drawing of text', 'idle', attached({ path: 'images/page.svg' }), 422, 'attachment-invalid', /svg|xml|text/],
  [
    'compressed bytes that are called an image',
    'idle',
    attached({ path: 'images/zipped.png' }),
    422,
    'attachment-invalid',
    /carried/,
  ],
  ['an archive', 'idle', attached({ path: 'images/gzip.gz' }), 422, 'attachment-invalid', /gzip|carried/],
  [
    'a header of an image without the image',
    'idle',
    attached({ data: b64(PNG.subarray(0, 6)) }),
    422,
    'attachment-invalid',
    /carried/,
  ],
  [
    'an image that unpacks to gigabytes',
    'idle',
    attached({ data: b64(BOMB) }),
    422,
    'attachment-invalid',
    /60000 x 60000 pixels/,
  ],
  [
    'bytes beyond the bound',
    'idle',
    attached({ path: 'images/huge.png' }),
    422,
    'attachment-invalid',
    /larger|bytes|limit/,
  ],
  [
    'too much data',
    'idle',
    attached({ data: b64(Buffer.concat([PNG, Buffer.alloc(2000)])) }),
    422,
    'attachment-invalid',
    /larger|bytes|limit/,
  ],
  [
    'seventeen attachments',
    'idle',
    attached(...Array.from({ length: 17 }, () => ({ data: b64(PNG) }))),
    422,
    'request-invalid',
    /attachments/,
  ],
  [
    'a second attachment that is bad',
    'idle',
    attached({ path: 'images/dot.png' }, { path: 'images/none.png' }),
    422,
    'attachment-invalid',
    /attachment 2/,
  ],
];

describe('a submit that is refused', () => {
  let scene: ServeScene;
  let outside: string;
  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'kit-outside-'));
    writeFileSync(join(outside, 'secret.png'), PNG);
    const directory = await makeDirectory(WORKSPACE);
    symlinkSync(join(outside, 'secret.png'), join(directory, 'images', 'link.png'));
    symlinkSync(outside, join(directory, 'outside'));
    scene = await openServeScene(directory, { env: { KIT_ATTACHMENT_MAX_BYTES: '1000' } });
  });
  afterAll(async () => {
    await scene.stop();
    for (const path of [scene.directory, outside]) await rm(path, { recursive: true, force: true });
  });

  it.each(ROWS)('names %s, and makes no job', async (_, topology, body, status, code, detail) => {
    const answer = await submitted(scene, topology, body);
    expect(answer.json()).toMatchObject({ status, code, detail: expect.stringMatching(detail) });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(await scene.jobs.list({ workspace: scene.directory })).toEqual([]);
    expect(scene.serve.load().active).toBe(0);
  });

  it('says where in the body the input does not fit', async () => {
    const { errors } = (await submitted(scene, 'shaped', { input: { n: 'one' } })).json();
    expect(errors).toEqual([{ pointer: '/body/input/n', message: expect.any(String), code: 'input_schema' }]);
  });

  it('names a body that is not JSON, one that is too large and one that is not an object', async () => {
    const post = (payload: string, type = 'application/json') =>
      scene.server.inject({
        method: 'POST',
        url: '/run/idle',
        headers: { ...as('run'), 'content-type': type },
        payload,
      });
    expect((await post('{"input":')).json()).toMatchObject({ status: 400, code: 'request-malformed' });
    expect((await post('[]')).json()).toMatchObject({ status: 422, code: 'request-invalid' });
    expect((await post(`{"input":"${'x'.repeat(64 * 1024 * 1024)}"}`)).json()).toMatchObject({
      status: 413,
      code: 'request-too-large',
    });
    expect((await post(`{"input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).json()).toMatchObject({
      status: 422,
      code: 'request-invalid',
    });
    expect((await post('{"__proto__":{"input":"x"}}')).statusCode).toBe(400);
    expect(await scene.jobs.list({ workspace: scene.directory })).toEqual([]);
  });

  it('is one of a caller without the tier, before anything is looked at', async () => {
    expect((await submitted(scene, 'nobody', {}, as('read'))).json()).toMatchObject({
      status: 403,
      code: 'scope-missing',
    });
    expect((await submitted(scene, 'nobody', {}, {})).json()).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('leaves a trace of an input that does not fit, and of nothing else', async () => {
    const { events } = await (await scene.stores()).events.read({ limit: 1000 });
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['input.rejected']));
  });
});

it('carries an image by path and one by data, and tells their descriptors without bytes', async () => {
  const directory = await makeDirectory(WORKSPACE);
  const scene = await openServeScene(directory);
  try {
    const answer = await submitted(
      scene,
      'idle',
      attached({ path: 'images/dot.png' }, { data: b64(PNG), name: 'mine.png', handling: 'native' }),
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.json().attachments).toMatchObject([
      {
        name: 'dot.png',
        media_type: 'image/png',
        size_bytes: PNG.length,
        path: 'images/dot.png',
        handling: 'preprocess',
      },
      { name: 'mine.png', media_type: 'image/png', size_bytes: PNG.length, path: null, handling: 'native' },
    ]);
    expect(answer.body).not.toContain(b64(PNG));
  } finally {
    await scene.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
