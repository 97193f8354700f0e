import { describe, expect, it } from 'vitest';
import { archetype, contract, funnel, LEAD, ONE_RULE, topology } from '../../../compile/rules/artifact-text.js';
import { MAIN, other, SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

describe('reading', () => {
  it('lists say what each artifact is, and lower versions carry theirs in the id', async () => {
    const { ask } = await editedWorkspace({ ...SOURCES, 'topologies/old.yaml': other('main', '0.9.0') });

    expect((await ask('GET', '/api/topologies')).json()).toEqual([
      { id: 'main', name: 'main', version: '1.0.0', description: '', path: 'topologies/main.yaml' },
      { id: 'main@0.9.0', name: 'main', version: '0.9.0', description: '', path: 'topologies/old.yaml' },
    ]);
    expect((await ask('GET', '/api/skills')).json()).toEqual([
      {
        id: 'answer',
        name: 'answer',
        description: 'The artifact answer.',
        category: 'capability',
        path: 'skills/answer.yaml',
      },
    ]);
    expect((await ask('GET', '/api/archetypes')).json()).toEqual([
      {
        id: 'helper',
        name: 'helper',
        description: 'The artifact helper.',
        role: 'worker',
        path: 'archetypes/helper.yaml',
      },
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
      input_schema: null,
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
    const { ask } = await editedWorkspace({
      'topologies/t.yaml': topology(
        't',
        'children: [{ id: a, role: worker }, { id: b, role: worker, depends_on: [a] }]',
      ),
    });
    expect((await ask('GET', '/api/topologies/t')).json().resolved.children).toEqual([
      {
        id: 'a',
        role: 'worker',
        source_archetype: null,
        model: { provider: null, name: null },
        skills: [],
        requires: {},
        funnel: null,
      },
      expect.objectContaining({ id: 'b', depends_on: ['a'] }),
    ]);
  });

  it('what a variable holds is masked in the agents of a topology, and errors of a change do not tell it either', async () => {
    const yaml = topology('t', 'model: { provider: mock, name: "${MODEL_TOKEN}" }, children: []');
    const { ask } = await editedWorkspace({ 'topologies/t.yaml': yaml }, {}, { MODEL_TOKEN: 'hidden-value-1' });
    const shown = await ask('GET', '/api/topologies/t');
    const refused = await ask('PUT', '/api/topologies/t', {
      yaml: yaml.replace('children', 'archetype: "${MODEL_TOKEN}", children'),
    });

    expect(shown.json().resolved.model).toEqual({ provider: 'mock', name: '[REDACTED]' });
    expect(refused.statusCode).toBe(422);
    expect([shown.body, refused.body].join()).not.toContain('hidden-value-1');
  });

  it('a skill and an archetype show what their files say, and variables stay text', async () => {
    const { ask } = await editedWorkspace({
      ...SOURCES,
      'archetypes/v.yaml': archetype('v', '{ model: { provider: mock, name: "${NAME:-x}" } }'),
    });

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
    expect((await ask('GET', '/api/archetypes/v')).json().defaults).toEqual({
      model: { provider: 'mock', name: '${NAME:-x}' },
      skills: [],
    });
  });

  it('funnels, contracts and roles are read as text', async () => {
    const FUNNEL = funnel(
      'gate',
      ONE_RULE('{ scope: "a:b", roles: [lead], quorum: all }').replace('roles: [lead]', 'roles: [lead]'),
    );
    const { ask } = await editedWorkspace({
      'roles/r.yaml': LEAD,
      'funnels/g.yaml': FUNNEL,
      'contracts/c.yaml': contract('c', '[a, b]'),
    });
    expect((await ask('GET', '/api/roles/people/yaml')).json()).toEqual({ yaml: LEAD });
    expect((await ask('GET', '/api/funnels/gate/yaml')).json()).toEqual({ yaml: FUNNEL });
    expect((await ask('GET', '/api/contracts/c/yaml')).json()).toEqual({ yaml: contract('c', '[a, b]') });
    expect((await ask('GET', '/api/contracts/nobody/yaml')).statusCode).toBe(404);
  });

  it.each([
    '/api/topologies/nobody',
    '/api/skills/nobody',
    '/api/archetypes/nobody',
    '/api/topologies/main@9.9.9',
    '/api/skills/nobody/yaml',
  ])('%s is not found, as a problem document', async (url) => {
    const { ask } = await editedWorkspace(SOURCES);
    const answer = await ask('GET', url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'edit-unknown', status: 404 });
  });

  it('reading works beside a broken file, which is listed under its own name', async () => {
    const { ask } = await editedWorkspace({ ...SOURCES, 'skills/broken.yaml': 'kind: [Skill\n' });

    expect((await ask('GET', '/api/topologies/main')).json()).toMatchObject({ id: 'main', resolved: null });
    expect((await ask('GET', '/api/skills')).json().map(({ id }: { id: string }) => id)).toEqual(['answer', 'broken']);
    expect((await ask('GET', '/api/skills/broken/yaml')).json()).toEqual({ yaml: 'kind: [Skill\n' });
  });
});
