import { describe, expect, it } from 'vitest';
import { compileSources, errorsOf, WORKSPACE, warningsOf } from '../../support/compile.js';
import { prompt, topology } from './artifact-text.js';

const bases = (text: string): string => `artifacts: { knowledge_bases: [${text}] }\n`;
const withBases = (text: string, agent = ''): string => `${topology('t', agent)}${bases(text)}`;
const compile = (files: Readonly<Record<string, string>>) =>
  compileSources({ 'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`, ...files });
const errors = async (files: Readonly<Record<string, string>>) => errorsOf(await compile(files));

describe('a knowledge base', () => {
  it('gives its workspace a skill that an agent holds like any other', async () => {
    const { workspace } = await compile({
      'topologies/t.yaml': withBases('{ id: docs, path: ./docs/ }', 'skills: [search-docs]'),
      'topologies/u.yaml': topology('u', 'skills: [search-docs]'),
    });

    expect(workspace?.skills.get('search-docs')).toMatchObject({
      effects: 'read',
      category: 'capability',
      requiredScopes: [],
      inputs: { required: ['query'], additionalProperties: false, properties: { limit: { minimum: 1, maximum: 20 } } },
      implementation: { type: 'knowledge', base: { id: 'docs', path: 'docs', include: [], storage: null } },
    });
    for (const name of ['t', 'u'])
      expect(workspace?.topologies.get(`${name}@1.0.0`)?.root.skills).toContain('search-docs');
    expect(workspace?.notYet).toEqual([]);
  });

  it('may be written alike in two topologies, and is one', async () => {
    const entry = '{ id: docs, path: docs, include: ["*.md"] }';

    expect(
      await errors({
        'topologies/t.yaml': withBases(entry),
        'topologies/u.yaml': `${topology('u', '')}${bases(entry)}`,
      }),
    ).toEqual([]);
  });

  it.each([
    [
      'twice in one topology',
      { 'topologies/t.yaml': withBases('{ id: docs, path: docs }, { id: docs, path: docs }') },
      'knowledge.duplicate-id topologies/t.yaml#/artifacts/knowledge_bases/1/id',
    ],
    [
      'with other documents in another topology',
      {
        'topologies/t.yaml': withBases('{ id: docs, path: docs }'),
        'topologies/u.yaml': `${topology('u', '')}${bases('{ id: docs, path: notes }')}`,
      },
      'knowledge.duplicate-id topologies/u.yaml#/artifacts/knowledge_bases/0/id',
    ],
    [
      'as a skill file is called',
      { 'topologies/t.yaml': withBases('{ id: docs, path: docs }'), 'skills/search-docs.yaml': prompt('search-docs') },
      'knowledge.id-collision topologies/t.yaml#/artifacts/knowledge_bases/0/id',
    ],
    [
      'as a command is called',
      {
        'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\ncommand_packs: [{ id: search, commands: [{ id: docs, argv: [ls] }] }]\n`,
        'topologies/t.yaml': withBases('{ id: docs, path: docs }'),
      },
      'knowledge.id-collision topologies/t.yaml#/artifacts/knowledge_bases/0/id',
    ],
  ])('is refused where it is named %s', async (_, files, error) => {
    expect(await errors(files)).toEqual([error]);
  });

  it.each(['/etc', '../docs', 'docs/../../x', 'C:/docs', 'docs\\all', '.kit', 'docs/.private', '.env'])(
    'is refused at the path %s',
    async (path) => {
      expect(await errors({ 'topologies/t.yaml': withBases(`{ id: docs, path: '${path}' }`) })).toEqual([
        'knowledge.bad-path topologies/t.yaml#/artifacts/knowledge_bases/0/path',
      ]);
    },
  );

  it('is refused with a glob that leads out of it', async () => {
    expect(
      await errors({ 'topologies/t.yaml': withBases('{ id: docs, path: docs, include: ["*.md", "../*.md"] }') }),
    ).toEqual(['knowledge.bad-path topologies/t.yaml#/artifacts/knowledge_bases/0/include/1']);
  });

  it('without a path is said to have no effect, and gives no skill', async () => {
    const result = await compile({ 'topologies/t.yaml': withBases('{ id: docs, storage: sqlite }') });

    expect(warningsOf(result)).toEqual(['knowledge.no-path topologies/t.yaml#/artifacts/knowledge_bases/0']);
    expect(result.workspace?.skills.has('search-docs')).toBe(false);
  });

  it('takes no key that nothing reads', async () => {
    expect(await errors({ 'topologies/t.yaml': withBases('{ id: docs, path: docs, embeddings: big }') })).toEqual([
      'schema.unknown-field topologies/t.yaml#/artifacts/knowledge_bases/0',
    ]);
  });
});
