import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileEdits, nodeEditCalls } from '../../../src/system/file-edits.js';
import { nodeFiles } from '../../../src/system/files.js';
import { archetype, contract, funnel, LEAD, ONE_RULE, prompt, skill, topology } from '../../compile/rules/artifact-text.js';
import { deps } from '../../support/compile.js';
import { editedWorkspace } from '../../support/http/edited-workspace.js';
import { as } from '../../support/http/serve-group.js';

const MAIN = topology('main', 'archetype: helper, model: { provider: mock, name: m }, children: []');
const HELPER = archetype('helper', '{ model: { provider: mock, name: m1 }, skills: [answer] }');
const SOURCES = { 'topologies/main.yaml': MAIN, 'archetypes/helper.yaml': HELPER, 'skills/answer.yaml': prompt('answer') };
const other = (name: string, version = '1.0.0'): string => topology(name, 'children: []').replace('1.0.0', version);

const codes = (body: { errors?: readonly { code: string }[] }) => body.errors?.map(({ code }) => code);

describe('reading', () => {
  it('lists say what each artifact is, and lower versions carry theirs in the id', async () => {
    const { ask } = await editedWorkspace({ ...SOURCES, 'topologies/old.yaml': other('main', '0.9.0') });

    expect((await ask('GET', '/api/topologies')).json()).toEqual([
      { id: 'main', name: 'main', version: '1.0.0', description: '', path: 'topologies/main.yaml' },
      { id: 'main@0.9.0', name: 'main', version: '0.9.0', description: '', path: 'topologies/old.yaml' },
    ]);
    expect((await ask('GET', '/api/skills')).json()).toEqual([
      { id: 'answer', name: 'answer', description: 'The artifact answer.', category: 'capability', path: 'skills/answer.yaml' },
    ]);
    expect((await ask('GET', '/api/archetypes')).json()).toEqual([
      { id: 'helper', name: 'helper', description: 'The artifact helper.', role: 'worker', path: 'archetypes/helper.yaml' },
    ]);
  });

  it('a topology shows its agents after merge, with the tag of its file', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const answer = await ask('GET', '/api/topologies/main');
    const yaml = await ask('GET', '/api/topologies/main/yaml');

    expect(answer.json()).toEqual({
      id: 'main',
      version: '1.0.0',
      description: '',
      resolved: {
        id: 'root',
        role: 'root',
        source_archetype: 'helper',
        model: { provider: 'mock', name: 'm' },
        skills: ['answer'],
        requires: {},
        funnel: null,
      },
    });
    expect(yaml.json()).toEqual({ yaml: MAIN });
    expect(answer.headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect(yaml.headers.etag).toBe(answer.headers.etag);
  });

  it('a topology with children shows the tree', async () => {
    const { ask } = await editedWorkspace({ 'topologies/t.yaml': topology('t', 'children: [{ id: a, role: worker }]') });
    expect((await ask('GET', '/api/topologies/t')).json().resolved.children).toEqual([
      { id: 'a', role: 'worker', source_archetype: null, model: { provider: null, name: null }, skills: [], requires: {}, funnel: null },
    ]);
  });

  it('a skill and an archetype show what their files say, and variables stay text', async () => {
    const { ask } = await editedWorkspace({ ...SOURCES, 'archetypes/v.yaml': archetype('v', '{ model: { provider: mock, name: "${NAME:-x}" } }') });

    expect((await ask('GET', '/api/skills/answer')).json()).toEqual({
      id: 'answer',
      name: 'answer',
      description: 'The artifact answer.',
      category: 'capability',
      implementation_type: 'llm_prompt',
    });
    expect((await ask('GET', '/api/archetypes/helper')).json()).toMatchObject({
      role: 'worker',
      defaults: { model: { name: 'm1' }, skills: ['answer'] },
    });
    expect((await ask('GET', '/api/archetypes/v')).json().defaults).toEqual({ model: { provider: 'mock', name: '${NAME:-x}' }, skills: [] });
  });

  it('funnels, contracts and roles are read as text', async () => {
    const FUNNEL = funnel('gate', ONE_RULE('{ scope: "a:b", roles: [lead], quorum: all }').replace('roles: [lead]', 'roles: [lead]'));
    const { ask } = await editedWorkspace({ 'roles/r.yaml': LEAD, 'funnels/g.yaml': FUNNEL, 'contracts/c.yaml': contract('c', '[a, b]') });
    expect((await ask('GET', '/api/roles/people/yaml')).json()).toEqual({ yaml: LEAD });
    expect((await ask('GET', '/api/funnels/gate/yaml')).json()).toEqual({ yaml: FUNNEL });
    expect((await ask('GET', '/api/contracts/c/yaml')).json()).toEqual({ yaml: contract('c', '[a, b]') });
    expect((await ask('GET', '/api/contracts/nobody/yaml')).statusCode).toBe(404);
  });

  it.each(['/api/topologies/nobody', '/api/skills/nobody', '/api/archetypes/nobody', '/api/topologies/main@9.9.9', '/api/skills/nobody/yaml'])(
    '%s is not found, as a problem document',
    async (url) => {
      const { ask } = await editedWorkspace(SOURCES);
      const answer = await ask('GET', url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'edit-unknown', status: 404 });
    },
  );

  it('reading works beside a broken file, which is listed under its own name', async () => {
    const { ask } = await editedWorkspace({ ...SOURCES, 'skills/broken.yaml': 'kind: [Skill\n' });

    expect((await ask('GET', '/api/topologies/main')).json()).toMatchObject({ id: 'main', resolved: null });
    expect((await ask('GET', '/api/skills')).json().map(({ id }: { id: string }) => id)).toEqual(['answer', 'broken']);
    expect((await ask('GET', '/api/skills/broken/yaml')).json()).toEqual({ yaml: 'kind: [Skill\n' });
  });
});

describe('changing', () => {
  it('a text is written as it is given, and the server takes it over', async () => {
    const { ask, read, served } = await editedWorkspace(SOURCES);
    const yaml = `# mine\r\n${MAIN.replace('name: m }', 'name: m2 }')}`;
    const answer = await ask('PUT', '/api/topologies/main', { yaml });

    expect(answer.json()).toEqual({
      valid: true,
      topologies: ['main@1.0.0'],
      skills: ['answer'],
      archetypes: ['helper'],
      written: true,
      reloaded: true,
    });
    expect(await read('topologies/main.yaml')).toBe(yaml);
    expect((await ask('GET', '/api/topologies/main/yaml')).headers.etag).toBe(answer.headers.etag);
    expect(served()).toEqual(['main@1.0.0']);
  });

  it('content is laid into the file and its comments stay', async () => {
    const { ask, read } = await editedWorkspace({ ...SOURCES, 'skills/answer.yaml': `# head\n${prompt('answer')}# foot\n` });
    const content = { apiVersion: 'kit/v1', kind: 'Skill', metadata: { id: 'answer', name: 'answer', description: 'The artifact answer.' } };
    const answer = await ask('PUT', '/api/skills/answer', {
      content: {
        ...content,
        category: 'capability',
        implementation: { type: 'llm_prompt', prompt: 'Now.' },
        provenance: { authored_by: 'human', version: '1.0.0' },
      },
    });

    expect(answer.statusCode).toBe(200);
    expect(await read('skills/answer.yaml')).toBe(`# head\n${prompt('answer').replace('prompt: Answer.', 'prompt: Now.')}# foot\n`);
  });

  it('a PUT of what is not there makes it, in the file of its id', async () => {
    const { ask, read, served } = await editedWorkspace(SOURCES);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') })).json()).toMatchObject({ valid: true, written: true });
    expect(await read('topologies/new.yaml')).toBe(other('new'));
    expect(served()).toEqual(['main@1.0.0', 'new@1.0.0']);
  });

  it('a POST makes it and says where it is; a second one is refused', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const answer = await ask('POST', '/api/skills', { yaml: prompt('fresh') });
    const again = await ask('POST', '/api/skills', { yaml: prompt('fresh').replace('Answer.', 'No.') });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers.location).toBe('/api/skills/fresh');
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ code: 'edit-exists' });
    expect(await read('skills/fresh.yaml')).toBe(prompt('fresh'));
  });

  it('versions live side by side: a bare name is the highest, and each has its own file', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    expect((await ask('POST', '/api/topologies', { yaml: other('main', '2.0.0') })).headers.location).toBe('/api/topologies/main@2.0.0');
    expect(await read('topologies/main@2.0.0.yaml')).toBe(other('main', '2.0.0'));
    expect((await ask('GET', '/api/topologies/main')).json().version).toBe('2.0.0');
    expect((await ask('GET', '/api/topologies/main@1.0.0/yaml')).json().yaml).toBe(MAIN);
    expect((await ask('PUT', '/api/topologies/main@1.0.0', { yaml: other('main', '3.0.0') })).json()).toMatchObject({ code: 'edit-invalid' });
    expect((await ask('DELETE', '/api/topologies/main')).json()).toEqual({ deleted: true, id: 'main', reloaded: true });
    expect((await ask('GET', '/api/topologies/main')).json().version).toBe('1.0.0');
  });

  it('a refused change names what is wrong, where, and writes nothing', async () => {
    const { ask, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const answer = await ask('PUT', '/api/topologies/main', { yaml: MAIN.replace('archetype: helper', 'archetype: nobody') });

    expect(answer.statusCode).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({
      code: 'edit-invalid',
      valid: false,
      errors: [{ code: 'agent.unknown-archetype', path: 'topologies/main.yaml', pointer: '/agents/root/archetype', line: 5 }],
    });
    expect(await tree()).toEqual(before);
  });

  it('a dry run judges the candidate, not what is on disk, and writes nothing', async () => {
    const { ask, tree, served } = await editedWorkspace(SOURCES);
    const before = await tree();
    const bad = await ask('PUT', '/api/topologies/main', { yaml: MAIN.replace('helper', 'nobody'), dry_run: true });
    const good = await ask('POST', '/api/topologies', { yaml: other('new'), dry_run: true });
    const unread = await ask('PUT', '/api/topologies/main', { yaml: 'a: [', dry_run: true });

    expect([bad.statusCode, bad.json().valid, codes(bad.json())]).toEqual([200, false, ['agent.unknown-archetype']]);
    expect(good.json()).toMatchObject({ valid: true, topologies: ['main@1.0.0', 'new@1.0.0'], written: false, reloaded: false });
    expect(good.headers.location).toBeUndefined();
    expect([unread.statusCode, codes(unread.json())]).toEqual([200, ['workspace.yaml-parse']]);
    expect(await tree()).toEqual(before);
    expect(served()).toEqual([]);
  });

  it('beside an unrelated error a change is refused with that error named', async () => {
    const { ask, tree } = await editedWorkspace({ ...SOURCES, 'skills/broken.yaml': 'kind: [Skill\n' });
    const before = await tree();
    for (const answer of [
      await ask('PUT', '/api/topologies/main', { yaml: MAIN }),
      await ask('POST', '/api/topologies', { yaml: other('new') }),
      await ask('DELETE', '/api/topologies/main'),
      await ask('PUT', '/api/workspace/config/credentials/c', { source: 'env', config: { env: 'X' } }),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ code: 'edit-invalid', errors: [{ code: 'workspace.yaml-parse', path: 'skills/broken.yaml', line: 2 }] });
      expect(answer.json().detail).toContain('skills/broken.yaml:2');
    }
    expect(await tree()).toEqual(before);
  });

  it('a broken file is mended under its own name', async () => {
    const { ask, read } = await editedWorkspace({ ...SOURCES, 'skills/broken.yaml': 'kind: [Skill\n' });
    expect((await ask('PUT', '/api/skills/broken', { yaml: prompt('broken') })).json()).toMatchObject({ valid: true });
    expect(await read('skills/broken.yaml')).toBe(prompt('broken'));
  });

  it('what is used is not removed, and its users are named', async () => {
    const { ask, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const answer = await ask('DELETE', '/api/skills/answer');

    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'edit-in-use' });
    expect(answer.json().detail).toMatch(/archetypes\/helper\.yaml|topologies\/main\.yaml/);
    expect(await tree()).toEqual(before);
  });

  it('what nobody uses is removed', async () => {
    const { ask, tree } = await editedWorkspace({ ...SOURCES, 'skills/lone.yaml': prompt('lone') });
    expect((await ask('DELETE', '/api/skills/lone')).json()).toEqual({ deleted: true, id: 'lone', reloaded: true });
    expect(Object.keys(await tree())).not.toContain('skills/lone.yaml');
    expect((await ask('DELETE', '/api/skills/lone')).statusCode).toBe(404);
  });

  it('a JSON file stays JSON, and YAML is refused in it', async () => {
    const json = {
      apiVersion: 'kit/v1',
      kind: 'Topology',
      metadata: { name: 'j', version: '1.0.0' },
      agents: { root: { id: 'root', role: 'root' } },
    };
    const { ask, read } = await editedWorkspace({ 'topologies/j.json': `${JSON.stringify(json, null, 4)}\n` });
    const changed = { ...json, metadata: { ...json.metadata, description: 'New.' } };

    expect((await ask('PUT', '/api/topologies/j', { content: changed })).statusCode).toBe(200);
    expect(await read('topologies/j.json')).toBe(`${JSON.stringify(changed, null, 4)}\n`);
    expect((await ask('PUT', '/api/topologies/j', { yaml: other('j') })).json()).toMatchObject({ code: 'edit-invalid' });
  });

  it('CRLF and a byte order mark survive a change of content', async () => {
    const text = `\uFEFF# head\r\n${LEAD.replaceAll('\n', '\r\n')}`;
    const { ask, read } = await editedWorkspace({ 'roles/r.yaml': text });
    const content = {
      apiVersion: 'kit/v1',
      kind: 'RoleRegistry',
      metadata: { id: 'people', name: 'Folk' },
      roles: [{ id: 'lead', members: ['alice'], scopes: ['a:b'] }],
    };
    expect((await ask('PUT', '/api/roles/people', { content })).json()).toMatchObject({ valid: true });
    expect(await read('roles/r.yaml')).toBe(text.replace('People', 'Folk'));
  });
});

describe('preconditions', () => {
  it.each(['"0000"', 'W/"x"', '"a", "b"'])('If-Match %s names another content: 412, and nothing is written', async (ifMatch) => {
    const { ask, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    for (const [method, body] of [
      ['PUT', { yaml: MAIN }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await ask(method, '/api/topologies/main', body, { 'if-match': ifMatch });
      expect([answer.statusCode, answer.json().code]).toEqual([412, 'edit-stale']);
    }
    expect(await tree()).toEqual(before);
  });

  it('If-Match with the tag, one of several tags, or a star lets the change through', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const etag = String((await ask('GET', '/api/topologies/main')).headers.etag);
    const tags = [etag, `"x", ${etag}`, '*'];
    for (const tag of tags) expect((await ask('PUT', '/api/topologies/main', { yaml: MAIN }, { 'if-match': tag })).statusCode).toBe(200);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') }, { 'if-match': '*' })).statusCode).toBe(412);
  });

  it('If-None-Match: * makes and never replaces', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const only = { 'if-none-match': '*' };
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') }, only)).statusCode).toBe(200);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new', '2.0.0') }, only)).statusCode).toBe(412);
    expect(await read('topologies/new.yaml')).toBe(other('new'));
  });

  it('of many changes at once with one tag exactly one wins', async () => {
    const { ask, read, server } = await editedWorkspace(SOURCES);
    const etag = String((await ask('GET', '/api/topologies/main')).headers.etag);
    const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/api/topologies/main`;
    const texts = Array.from({ length: 8 }, (_, at) => `# ${at}\n${MAIN}`);
    const headers = { ...as('admin'), 'content-type': 'application/json', 'if-match': etag };
    const answers = await Promise.all(texts.map((yaml) => fetch(url, { method: 'PUT', headers, body: JSON.stringify({ yaml }) })));

    const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    expect(await read('topologies/main.yaml')).toBe(texts[won[0] ?? -1]);
  });

  it('a file that is edited by hand while a change of it is judged stays as the hand left it', async () => {
    let isArmed = false;
    const byHand = `# by hand\n${prompt('answer')}`;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      list: async (path) => {
        if (isArmed && path.endsWith('/topologies')) await writeFile(join(path, '../skills/answer.yaml'), byHand);
        return nodeFiles.list(path);
      },
    };
    const { ask, read } = await editedWorkspace(SOURCES, { compile: { ...deps(), files } });
    isArmed = true;
    const answer = await ask('PUT', '/api/skills/answer', { yaml: `# over HTTP\n${prompt('answer')}` });
    expect([answer.statusCode, answer.json().code]).toEqual([412, 'edit-stale']);
    expect(await read('skills/answer.yaml')).toBe(byHand);
  });

  it('a disk that takes no write is a 503 that says so, and nothing is changed', async () => {
    const refuse = async () => {
      throw Object.assign(new Error('read-only'), { code: 'EROFS' });
    };
    const { ask, tree } = await editedWorkspace(SOURCES, { edits: createFileEdits({ ...nodeEditCalls, write: refuse, remove: refuse }) });
    const before = await tree();
    const put = await ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` });
    const gone = await ask('DELETE', '/api/topologies/main');
    expect([put.statusCode, put.json().code, gone.statusCode]).toEqual([503, 'edit-failed', 503]);
    expect(put.json().detail).toBe('answer.yaml cannot be written: the file system is read-only');
    expect(await tree()).toEqual(before);
  });

  it('of many creations at once exactly one wins', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => ask('POST', '/api/skills', { yaml: `# ${at}\n${prompt('fresh')}` })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

/** Every way to send nonsense to the routes that write. */
const REFUSALS: readonly (readonly [string, 'PUT' | 'POST', string, object | string, number, string])[] = [
  ['neither text nor content', 'PUT', '/api/skills/answer', {}, 422, 'request-invalid'],
  ['both text and content', 'PUT', '/api/skills/answer', { yaml: 'a: 1', content: {} }, 422, 'request-invalid'],
  ['a member nobody knows', 'PUT', '/api/skills/answer', { yaml: 'a: 1', force: true }, 422, 'request-invalid'],
  ['a text that is a number', 'PUT', '/api/skills/answer', { yaml: 1 }, 422, 'request-invalid'],
  ['content that is a list', 'PUT', '/api/skills/answer', { content: [] }, 422, 'request-invalid'],
  ['a dry run that is a text', 'PUT', '/api/skills/answer', { yaml: 'a: 1', dry_run: 'yes' }, 422, 'request-invalid'],
  ['a body that is no JSON', 'PUT', '/api/skills/answer', '{', 400, 'request-malformed'],
  ['a body of more than a megabyte', 'PUT', '/api/skills/answer', { yaml: 'x'.repeat(1024 * 1024) }, 413, 'request-too-large'],
  ['an id that climbs out', 'PUT', '/api/skills/..%2f..%2fetc', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id with a backslash', 'PUT', '/api/skills/..%5cworkspace', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id with a NUL', 'PUT', '/api/skills/a%00', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['an id in upper case', 'PUT', '/api/skills/Answer', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['a version where there are none', 'PUT', '/api/skills/answer@1.0.0', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['a version that is none', 'PUT', '/api/topologies/main@latest', { yaml: 'a: 1' }, 422, 'request-invalid'],
  ['another id than the path', 'PUT', '/api/skills/answer', { yaml: prompt('else') }, 422, 'edit-invalid'],
  ['another version than the path', 'PUT', '/api/topologies/main@1.0.0', { yaml: other('main', '1.0.1') }, 422, 'edit-invalid'],
  ['a file that climbs out by its own id', 'POST', '/api/skills', { yaml: prompt('../evil') }, 422, 'edit-invalid'],
  ['a text without an id', 'POST', '/api/skills', { yaml: 'kind: Skill\n' }, 422, 'edit-invalid'],
  ['a text without an id, changed', 'PUT', '/api/skills/answer', { yaml: 'kind: Skill\n' }, 422, 'edit-invalid'],
  ['an artifact of another kind', 'PUT', '/api/skills/answer', { yaml: HELPER.replaceAll('helper', 'answer') }, 422, 'edit-invalid'],
  ['text that is no YAML', 'PUT', '/api/skills/answer', { yaml: 'a: [' }, 422, 'edit-invalid'],
  ['an empty text', 'PUT', '/api/skills/answer', { yaml: '' }, 422, 'edit-invalid'],
  ['two documents', 'PUT', '/api/skills/answer', { yaml: `${prompt('answer')}---\n${prompt('answer')}` }, 422, 'edit-invalid'],
  ['a key given twice', 'PUT', '/api/skills/answer', { yaml: `${prompt('answer')}category: decision\n` }, 422, 'edit-invalid'],
  [
    'half of a surrogate pair',
    'PUT',
    '/api/skills/answer',
    `{"yaml": ${JSON.stringify(prompt('answer')).slice(0, -1)}# \\ud800\\n"}`,
    422,
    'edit-invalid',
  ],
  ['half of a surrogate pair in content', 'PUT', '/api/skills/answer', '{"content": {"a": "\\udc00"}}', 422, 'edit-invalid'],
  [
    'content nested beyond bounds',
    'PUT',
    '/api/skills/answer',
    `{"content": {"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    422,
    'edit-invalid',
  ],
  ['a text nested beyond bounds', 'PUT', '/api/skills/answer', { yaml: `a: ${'['.repeat(100_000)}` }, 422, 'edit-invalid'],
  ['a prototype in content', 'PUT', '/api/skills/answer', '{"content": {"__proto__": {"a": 1}}}', 400, 'request-malformed'],
  [
    'aliases of aliases',
    'PUT',
    '/api/skills/answer',
    { yaml: `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}\n` },
    422,
    'edit-invalid',
  ],
];

describe('refusals', () => {
  it.each(REFUSALS)('%s', async (_name, method, url, body, status, code) => {
    const { server, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await server.inject({ method, url, payload, headers: { ...as('admin'), 'content-type': 'application/json' } });

    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    if (code === 'edit-invalid') expect(answer.json().valid).toBe(false);
    expect(await tree()).toEqual(before);
  });

  it('bytes that are no UTF-8 are never written back: content is refused, a whole text is not', async () => {
    const world = await editedWorkspace(SOURCES);
    await world.write({ 'skills/answer.yaml': Buffer.concat([Buffer.from(prompt('answer')), Buffer.from([0x23, 0xff, 0x0a])]) });
    const content = { apiVersion: 'kit/v1', kind: 'Skill', metadata: { id: 'answer' } };

    expect((await world.ask('GET', '/api/skills/answer/yaml')).statusCode).toBe(200);
    expect(codes((await world.ask('PUT', '/api/skills/answer', { content })).json())).toEqual(['edit.not-utf8']);
    expect((await world.ask('PUT', '/api/skills/answer', { yaml: prompt('answer') })).statusCode).toBe(200);
  });

  it('a body with bytes that are no UTF-8 is refused', async () => {
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

describe('places', () => {
  it('a link that leads out of its folder is not written through', async () => {
    const world = await editedWorkspace(SOURCES);
    await world.write({ 'shared/answer.yaml': prompt('answer') });
    await rename(join(world.directory, 'skills/answer.yaml'), join(world.directory, 'unused'));
    await symlink(join(world.directory, 'shared/answer.yaml'), join(world.directory, 'skills/answer.yaml'));

    expect((await world.ask('GET', '/api/skills/answer')).statusCode).toBe(200);
    const answer = await world.ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` });
    expect([answer.statusCode, codes(answer.json())]).toEqual([422, ['edit.outside']]);
    expect(await world.read('shared/answer.yaml')).toBe(prompt('answer'));
  });

  it('a folder that is a link out of the workspace takes no file', async () => {
    const outside = await editedWorkspace({});
    const world = await editedWorkspace({ 'topologies/t.yaml': other('t') });
    await mkdir(join(outside.directory, 'elsewhere'));
    await symlink(join(outside.directory, 'elsewhere'), join(world.directory, 'skills'));

    const answer = await world.ask('POST', '/api/skills', { yaml: prompt('fresh') });
    expect([answer.statusCode, codes(answer.json())]).toEqual([422, ['edit.outside']]);
    expect(Object.keys(await outside.tree())).toEqual(['workspace.yaml']);
  });

  it('a link inside its folder stays a link, and what it leads to is changed', async () => {
    const world = await editedWorkspace({ 'topologies/t.yaml': other('t'), 'skills/sub/deep/real.yaml': '' });
    await writeFile(join(world.directory, 'skills/sub/deep/real.yaml'), prompt('answer'));
    await rename(join(world.directory, 'skills/sub/deep/real.yaml'), join(world.directory, 'skills/.real'));
    await symlink('.real', join(world.directory, 'skills/answer.yaml'));

    const yaml = `# x\n${prompt('answer')}`;
    expect((await world.ask('PUT', '/api/skills/answer', { yaml })).statusCode).toBe(200);
    expect(await world.read('skills/.real')).toBe(yaml);
  });

  it('a file with the name of the new artifact and another content is not replaced', async () => {
    const { ask, read } = await editedWorkspace({ ...SOURCES, 'skills/fresh.yaml': prompt('different') });
    const answer = await ask('POST', '/api/skills', { yaml: prompt('fresh') });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'edit-exists']);
    expect(await read('skills/fresh.yaml')).toBe(prompt('different'));
  });

  it('a folder that is not there yet is made', async () => {
    const { ask, read } = await editedWorkspace({ 'topologies/t.yaml': other('t') });
    expect((await ask('POST', '/api/skills', { yaml: skill('fresh', '{ type: llm_prompt, prompt: Hi. }') })).statusCode).toBe(200);
    expect(await read('skills/fresh.yaml')).toContain('id: fresh');
  });
});

describe('reload', () => {
  it.each(['/reload', '/api/reload'])('%s takes over what was edited by hand, and says what is wrong with it', async (url) => {
    const { ask, write, served } = await editedWorkspace(SOURCES);
    await write({ 'topologies/hand.yaml': other('hand') });
    expect((await ask('POST', url)).json()).toMatchObject({ valid: true, topologies: ['hand@1.0.0', 'main@1.0.0'], reloaded: true });
    await write({ 'topologies/hand.yaml': 'a: [' });
    const answer = await ask('POST', url);
    expect([answer.statusCode, answer.json().valid, codes(answer.json())]).toEqual([200, false, ['workspace.yaml-parse']]);
    expect(served()).toEqual(['hand@1.0.0', 'main@1.0.0']);
  });

  it('a change that the server could not take over is made all the same, and says so', async () => {
    const { ask, read } = await editedWorkspace(SOURCES, {
      reload: async () => {
        throw new Error('draining');
      },
    });
    expect((await ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` })).json()).toMatchObject({
      valid: true,
      written: true,
      reloaded: false,
    });
    expect(await read('skills/answer.yaml')).toMatch(/^# x/);
  });
});
