import { describe, expect, it } from 'vitest';
import { prompt } from '../../../compile/rules/artifact-text.js';
import { codes, HELPER, MAIN, other, SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';
import { as } from '../../../support/http/serve-group.js';

/** Every way to send nonsense to the routes that write. */
const REFUSALS: readonly (readonly [string, 'PUT' | 'POST', string, object | string, number, string])[] = [
  ['neither text nor content', 'PUT', '/api/skills/answer', {}, 422, 'request-invalid'],
  ['both text and content', 'PUT', '/api/skills/answer', { yaml: 'a: 1', content: {} }, 422, 'request-invalid'],
  ['a member nobody knows', 'PUT', '/api/skills/answer', { yaml: 'a: 1', force: true }, 422, 'request-invalid'],
  ['a text that is a number', 'PUT', '/api/skills/answer', { yaml: 1 }, 422, 'request-invalid'],
  ['content that is a list', 'PUT', '/api/skills/answer', { content: [] }, 422, 'request-invalid'],
  ['a dry run that is a text', 'PUT', '/api/skills/answer', { yaml: 'a: 1', dry_run: 'yes' }, 422, 'request-invalid'],
  ['a body that is not JSON', 'PUT', '/api/skills/answer', '{', 400, 'request-malformed'],
  [
    'a body of more than a megabyte',
    'PUT',
    '/api/skills/answer',
    { yaml: 'x'.repeat(1024 * 1024) },
    413,
    'request-too-large',
  ],
  ['an id that climbs out', 'PUT', '/api/skills/..%2f..%2fetc', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id with a backslash', 'PUT', '/api/skills/..%5cworkspace', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id with a NUL', 'PUT', '/api/skills/a%00', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id in upper case', 'PUT', '/api/skills/Answer', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['a version where there are none', 'PUT', '/api/skills/answer@1.0.0', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['a version that is none', 'PUT', '/api/topologies/main@latest', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['another id than the path', 'PUT', '/api/skills/answer', { yaml: prompt('else') }, 422, 'edit-invalid'],
  [
    'another version than the path',
    'PUT',
    '/api/topologies/main@1.0.0',
    { yaml: other('main', '1.0.1') },
    422,
    'edit-invalid',
  ],
  ['an id that is a path of its own', 'POST', '/api/skills', { yaml: prompt('check') }, 422, 'edit-invalid'],
  ['the same under its path', 'PUT', '/api/skills/check', { yaml: prompt('check') }, 422, 'edit-invalid'],
  ['a file that climbs out by its own id', 'POST', '/api/skills', { yaml: prompt('../evil') }, 422, 'edit-invalid'],
  ['a text without an id', 'POST', '/api/skills', { yaml: 'kind: Skill\n' }, 422, 'edit-invalid'],
  ['a text without an id, changed', 'PUT', '/api/skills/answer', { yaml: 'kind: Skill\n' }, 422, 'edit-invalid'],
  [
    'an artifact of another kind',
    'PUT',
    '/api/skills/answer',
    { yaml: HELPER.replaceAll('helper', 'answer') },
    422,
    'edit-invalid',
  ],
  ['text that is not YAML', 'PUT', '/api/skills/answer', { yaml: 'a: [' }, 422, 'edit-invalid'],
  ['an empty text', 'PUT', '/api/skills/answer', { yaml: '' }, 422, 'edit-invalid'],
  [
    'two documents',
    'PUT',
    '/api/skills/answer',
    { yaml: `${prompt('answer')}---\n${prompt('answer')}` },
    422,
    'edit-invalid',
  ],
  [
    'a key given twice',
    'PUT',
    '/api/skills/answer',
    { yaml: `${prompt('answer')}category: decision\n` },
    422,
    'edit-invalid',
  ],
  [
    'half of a surrogate pair',
    'PUT',
    '/api/skills/answer',
    `{"yaml": ${JSON.stringify(prompt('answer')).slice(0, -1)}# \\ud800\\n"}`,
    400,
    'request-malformed',
  ],
  [
    'half of a surrogate pair in content',
    'PUT',
    '/api/skills/answer',
    '{"content": {"a": "\\udc00"}}',
    400,
    'request-malformed',
  ],
  [
    'content nested beyond bounds',
    'PUT',
    '/api/skills/answer',
    `{"content": {"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    422,
    'edit-invalid',
  ],
  [
    'an entry nested beyond bounds',
    'PUT',
    '/api/workspace/config/credentials/deep',
    `{"source": "env", "config": {"env": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    422,
    'edit-invalid',
  ],
  [
    'a text nested beyond bounds',
    'PUT',
    '/api/skills/answer',
    { yaml: `a: ${'['.repeat(100_000)}` },
    422,
    'edit-invalid',
  ],
  [
    'a prototype in content',
    'PUT',
    '/api/skills/answer',
    '{"content": {"__proto__": {"a": 1}}}',
    400,
    'request-malformed',
  ],
  [
    'aliases of aliases',
    'PUT',
    '/api/skills/answer',
    {
      yaml: `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}\n`,
    },
    422,
    'edit-invalid',
  ],
];

describe('refusals', () => {
  it.each(REFUSALS)('%s', async (_name, method, url, body, status, code) => {
    const { server, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await server.inject({
      method,
      url,
      payload,
      headers: { ...as('admin'), 'content-type': 'application/json' },
    });

    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    if (code === 'edit-invalid') expect(answer.json().valid).toBe(false);
    expect(await tree()).toEqual(before);
  });

  it('bytes that are not UTF-8 are never written back: content is refused, a whole text is not', async () => {
    const world = await editedWorkspace(SOURCES);
    await world.write({
      'skills/answer.yaml': Buffer.concat([Buffer.from(prompt('answer')), Buffer.from([0x23, 0xff, 0x0a])]),
    });
    const content = { apiVersion: 'kit/v1', kind: 'Skill', metadata: { id: 'answer' } };

    expect((await world.ask('GET', '/api/skills/answer/yaml')).statusCode).toBe(200);
    expect(codes((await world.ask('PUT', '/api/skills/answer', { content })).json())).toEqual(['edit.not-utf8']);
    expect((await world.ask('PUT', '/api/skills/answer', { yaml: prompt('answer') })).statusCode).toBe(200);
  });

  it('a body with bytes that are not UTF-8 is refused', async () => {
    const { server, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const payload = Buffer.concat([Buffer.from('{"yaml": "a: '), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const answer = await server.inject({
      method: 'PUT',
      url: '/api/skills/answer',
      payload,
      headers: { ...as('admin'), 'content-type': 'application/json' },
    });
    expect([400, 422]).toContain(answer.statusCode);
    expect(await tree()).toEqual(before);
  });

  it.each([['read'], ['run']] as const)('the tier %s reads and changes nothing', async (tier) => {
    const { server } = await editedWorkspace(SOURCES);
    const by = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string) =>
      server.inject({ method, url, headers: as(tier), ...(method === 'PUT' ? { payload: { yaml: MAIN } } : {}) });
    for (const url of ['/api/topologies', '/api/topologies/main', '/api/topologies/main/yaml', '/api/workspace/config'])
      expect((await by('GET', url)).statusCode).toBe(200);
    const writes = [
      ['POST', '/api/topologies'],
      ['PUT', '/api/topologies/main'],
      ['DELETE', '/api/topologies/main'],
      ['PUT', '/api/roles/people'],
      ['POST', '/reload'],
      ['POST', '/api/reload'],
      ['PUT', '/api/workspace/config/credentials/a'],
      ['DELETE', '/api/workspace/config/credentials/a'],
    ] as const;
    for (const [method, url] of writes) expect((await by(method, url)).statusCode).toBe(403);
  });
});
