import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planInit, schemaFor, topologyNames, variablesToSet, withClaude } from '../../../src/app/init/plan-init.js';
import { schemaPath } from '../../../src/app/init/schema-path.js';

const NONE = { model: null, reason: 'none' };
const SOME = { model: { provider: 'ollama', name: 'qwen3:4b' }, reason: 'some' };
const ARCHETYPE = {
  path: 'archetypes/a.yaml',
  text: 'kind: Archetype\ndefaults:\n  model:\n    provider: rules\n    name: rules\n',
};

describe('files of a new workspace', () => {
  test('name the schema of their kind in the first line', () => {
    const [file] = planInit([ARCHETYPE], NONE, (path, schema) => `${path}>${schema}`);

    expect(file?.text).toBe(
      `# yaml-language-server: $schema=archetypes/a.yaml>archetype.schema.json\n${ARCHETYPE.text}`,
    );
  });

  test('carry one such line, also when the template brings one', () => {
    const brought = { ...ARCHETYPE, text: `# yaml-language-server: $schema=old\n${ARCHETYPE.text}` };

    expect(planInit([brought], NONE, () => 'new')).toEqual(planInit([ARCHETYPE], NONE, () => 'new'));
  });

  test('stay as they are when they are not an artifact', () => {
    const readme = { path: 'README.md', text: 'provider: rules\nname: rules\n' };

    expect(planInit([readme], SOME, () => 'x')).toEqual([readme]);
  });

  test('name the chosen model in place of what needs none, and nothing else', () => {
    expect(planInit([ARCHETYPE], SOME, () => 'x')[0]?.text).toContain('    provider: ollama\n    name: "qwen3:4b"\n');
    expect(planInit([ARCHETYPE], NONE, () => 'x')[0]?.text).toContain('    provider: rules\n    name: rules\n');
    const other = { ...ARCHETYPE, text: 'governance:\n  provider: mock\nmodel:\n  provider: groq\n  name: x\n' };
    expect(planInit([other], SOME, () => 'x')[0]?.text).toContain(other.text);
  });

  test('lose the script of the model that is replaced, and the words that say there is none', () => {
    const text = `defaults:
  model:
    # No language model: it answers this.
    provider: mock
    name: mock
    options:
      script:
        - text: "a: b"

  prompt:
    system: Answer.
`;
    const [file] = planInit([{ path: 'archetypes/a.yaml', text }], SOME, null);

    expect(file?.text).toBe(
      'defaults:\n  model:\n    provider: ollama\n    name: "qwen3:4b"\n\n  prompt:\n    system: Answer.\n',
    );
  });

  test('name a model that Ollama has in place of the one of a template for Ollama', () => {
    const text = 'model:\n  provider: ollama\n  name: llama3.2\n';
    const other = { model: { provider: 'openai', name: 'm' }, reason: 'other' };

    expect(planInit([{ path: 'archetypes/a.yaml', text }], SOME, null)[0]?.text).toContain('name: "qwen3:4b"');
    expect(planInit([{ path: 'archetypes/a.yaml', text }], other, null)[0]?.text).toBe(text);
  });

  test('have a schema file for every kind folder', () => {
    const names = [
      'workspace.yaml',
      ...[
        'topologies',
        'archetypes',
        'skills',
        'triggers',
        'schedules',
        'adapters',
        'funnels',
        'roles',
        'contracts',
        'providers',
        'evals',
      ].map((folder) => `${folder}/x.yaml`),
    ];
    const schemas = names.map((name) => schemaFor(name));

    expect(
      schemas.filter(
        (schema) => schema === null || !existsSync(new URL(`../../../schemas/kinds/${schema}`, import.meta.url)),
      ),
    ).toEqual([]);
    expect([schemaFor('README.md'), schemaFor('other/x.yaml'), schemaFor('topologies/x.json')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('tell the names of their topologies', () => {
    expect(
      topologyNames([
        {
          path: 'topologies/t.yaml',
          text: 'kind: Topology\nmetadata:\n  # the id\n  name: hello-1\n  version: 1.0.0\n',
        },
        ARCHETYPE,
      ]),
    ).toEqual(['hello-1']);
  });
});

test('Claude Code takes the place of the rehearsal of the template harness, and its script goes', () => {
  const path = 'archetypes/coder.yaml';
  const text = readFileSync(new URL(`../../../templates/harness/${path}`, import.meta.url), 'utf8');
  const [file] = withClaude([{ path, text }]);

  expect(file?.text).toContain('  kind: harness\n  ref: claude-code\n  config:\n    # Edits');
  expect(file?.text).not.toMatch(/rehearsal|script:/);
  expect(withClaude([ARCHETYPE])).toEqual([ARCHETYPE]);
});

describe('variables that have to be set before a new workspace starts', () => {
  const text =
    'storage: { runtime: { url: "${STORE}" } }\nkeys: [{ key_ref: "env:KEY_A" }, { key_ref: "env:KEY_B" }]\nname: ${NAME:-x} # ${STORE}\n';

  test('are those that workspace.yaml names without a default, and that are not set', () => {
    const files = [
      { path: 'workspace.yaml', text },
      { path: 'topologies/a.yaml', text: '${OTHER}' },
    ];
    expect(variablesToSet(files, { KEY_A: 'there' })).toEqual(['STORE', 'KEY_B']);
    expect(variablesToSet([], {})).toEqual([]);
  });
});

describe('the path of a schema', () => {
  test.each([
    [
      'kit lies in node_modules of the project',
      '/p/node_modules/@kit-run/kit',
      '/p/team',
      'workspace.yaml',
      '../node_modules/@kit-run/kit/schemas/kinds/s.json',
    ],
    [
      'the workspace is the project',
      '/p/node_modules/@kit-run/kit',
      '/p',
      'topologies/t.yaml',
      '../node_modules/@kit-run/kit/schemas/kinds/s.json',
    ],
    [
      'the workspace lies in the checkout of kit',
      '/kit',
      '/kit/examples/a',
      'workspace.yaml',
      '../../schemas/kinds/s.json',
    ],
    [
      'kit is installed elsewhere, which no file may name',
      '/usr/lib/node_modules/@kit-run/kit',
      '/home/a/team',
      'workspace.yaml',
      null,
    ],
  ])('leads there when %s', (_name, packageRoot, workspace, file, expected) => {
    expect(schemaPath({ packageRoot, workspace }, file, 's.json')).toBe(expected);
  });
});
