import { describe, expect, it } from 'vitest';
import { LEAD, prompt } from '../../../compile/rules/artifact-text.js';
import { codes, MAIN, other, SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

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
    const { ask, read } = await editedWorkspace({
      ...SOURCES,
      'skills/answer.yaml': `# head\n${prompt('answer')}# foot\n`,
    });
    const content = {
      apiVersion: 'kit/v1',
      kind: 'Skill',
      metadata: { id: 'answer', name: 'answer', description: 'The artifact answer.' },
    };
    const answer = await ask('PUT', '/api/skills/answer', {
      content: {
        ...content,
        category: 'capability',
        implementation: { type: 'llm_prompt', prompt: 'Now.' },
        provenance: { authored_by: 'human', version: '1.0.0' },
      },
    });

    expect(answer.statusCode).toBe(200);
    expect(await read('skills/answer.yaml')).toBe(
      `# head\n${prompt('answer').replace('prompt: Answer.', 'prompt: Now.')}# foot\n`,
    );
  });

  it('a PUT of what is not there makes it, in the file of its id', async () => {
    const { ask, read, served } = await editedWorkspace(SOURCES);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') })).json()).toMatchObject({
      valid: true,
      written: true,
    });
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
    expect((await ask('POST', '/api/topologies', { yaml: other('main', '2.0.0') })).headers.location).toBe(
      '/api/topologies/main@2.0.0',
    );
    expect(await read('topologies/main@2.0.0.yaml')).toBe(other('main', '2.0.0'));
    expect((await ask('GET', '/api/topologies/main')).json().version).toBe('2.0.0');
    expect((await ask('GET', '/api/topologies/main@1.0.0/yaml')).json().yaml).toBe(MAIN);
    expect((await ask('PUT', '/api/topologies/main@1.0.0', { yaml: other('main', '3.0.0') })).json()).toMatchObject({
      code: 'edit-invalid',
    });
    expect((await ask('DELETE', '/api/topologies/main')).json()).toEqual({ deleted: true, id: 'main', reloaded: true });
    expect((await ask('GET', '/api/topologies/main')).json().version).toBe('1.0.0');
  });

  it('a refused change names what is wrong, where, and writes nothing', async () => {
    const { ask, tree } = await editedWorkspace(SOURCES);
    const before = await tree();
    const answer = await ask('PUT', '/api/topologies/main', {
      yaml: MAIN.replace('archetype: helper', 'archetype: nobody'),
    });

    expect(answer.statusCode).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({
      code: 'edit-invalid',
      valid: false,
      errors: [
        { code: 'agent.unknown-archetype', path: 'topologies/main.yaml', pointer: '/agents/root/archetype', line: 5 },
      ],
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
    expect(good.json()).toMatchObject({
      valid: true,
      topologies: ['main@1.0.0', 'new@1.0.0'],
      written: false,
      reloaded: false,
    });
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
      expect(answer.json()).toMatchObject({
        code: 'edit-invalid',
        errors: [{ code: 'workspace.yaml-parse', path: 'skills/broken.yaml', line: 2 }],
      });
      expect(answer.json().detail).toContain('skills/broken.yaml:2');
    }
    expect(await tree()).toEqual(before);
  });

  it('a broken file is fixed under its own name', async () => {
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
    expect((await ask('PUT', '/api/topologies/j', { yaml: other('j') })).json()).toMatchObject({
      code: 'edit-invalid',
    });
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
