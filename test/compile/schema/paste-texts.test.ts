import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import type { SchemaKind } from '../../../src/compile/schema/schema-kind.js';

function check(kind: SchemaKind, lines: readonly string[]) {
  const { parsed } = parseSource({
    path: 'a.yaml',
    text: `${['apiVersion: kit/v1', `kind: ${kind}`, ...lines].join('\n')}\n`,
  });
  if (parsed === null) throw new Error(`it does not parse: ${lines.join('; ')}`);
  return checkSchema(kind, parsed.value, parsed);
}

/** The text of a help: `for example `...``. */
const pasteOf = (help: string | undefined): string | null => /^for example `(.+)`$/.exec(help ?? '')?.[1] ?? null;

describe('a required field that is missing', () => {
  test.each([
    'Workspace',
    'Topology',
    'Archetype',
    'Skill',
    'Funnel',
    'RoleRegistry',
    'Trigger',
    'ModelProvider',
    'EvalSet',
    'Contract',
  ] as const)('of the kind %s comes with the line that fixes it', (kind) => {
    const first = check(kind, []);
    const lines = first.flatMap(({ help }) => pasteOf(help) ?? []);

    expect(lines.length).toBeGreaterThan(0);
    // Left is what the pasted lines ask for, and what has no one value (a choice, a list of two).
    const left = check(kind, lines);
    expect(left.filter(({ code }) => code !== 'schema.required-field')).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(2);
  });

  test('gives each member of metadata that it needs', () => {
    const [{ help } = { help: undefined }] = check('Archetype', [
      'role: worker',
      'defaults: {}',
      'provenance: { authored_by: human, version: 1.0.0 }',
    ]);

    expect(help).toBe(
      'for example `metadata: { id: my-id, name: My name, description: "What it is for, in one sentence." }`',
    );
  });

  test('of an agent below the root is not a second root', () => {
    const lines = [
      'metadata: { name: t, version: 1.0.0 }',
      'agents: { root: { id: r, role: root, children: [{ id: a }] } }',
    ];

    expect(check('Topology', lines).map(({ help }) => pasteOf(help))).toEqual(['role: worker']);
    expect(check('Topology', [lines[0] ?? '']).map(({ help }) => pasteOf(help))).toEqual([
      'agents: { root: { id: my-id, role: root } }',
    ]);
  });
});
