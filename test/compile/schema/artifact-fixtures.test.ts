import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import type { SchemaKind } from '../../../src/compile/schema/schema-kind.js';

const folder = new URL('../../fixtures/artifacts/', import.meta.url);

const KINDS: Readonly<Record<string, SchemaKind>> = {
  'approval-policy': 'ApprovalPolicy',
  archetype: 'Archetype',
  contract: 'Contract',
  'eval-set': 'EvalSet',
  'executor-adapter': 'ExecutorAdapter',
  funnel: 'Funnel',
  'model-provider': 'ModelProvider',
  'role-registry': 'RoleRegistry',
  skill: 'Skill',
  topology: 'Topology',
  trigger: 'Trigger',
  workspace: 'Workspace',
};

/**
 * Fixtures that interface or design decide otherwise than the corpus: path -> verdict and why. None
 * does.
 */
const CONTRADICTED: Readonly<Record<string, { readonly validity: 'valid' | 'invalid'; readonly why: string }>> = {};

/**
 * Code and pointer of every report: one mistake, one report (two where the corpus says there are
 * two).
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('expected.json', folder), 'utf8'),
);

interface Row {
  readonly path: string;
  readonly kind: SchemaKind;
  readonly validity: string;
  /** The corpus's own words: most begin with the pointer. */
  readonly reason: string;
}

const rows = readFileSync(new URL('index.tsv', folder), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [path = '', kind = '', validity = '', reason = ''] = line.split('\t');
    return { path, kind: KINDS[kind] ?? 'Workspace', validity: CONTRADICTED[path]?.validity ?? validity, reason };
  });

function judge(row: Row): readonly string[] {
  const { parsed, diagnostics } = parseSource({
    path: row.path,
    text: readFileSync(new URL(row.path, folder), 'utf8'),
  });
  const all = parsed === null ? diagnostics : checkSchema(row.kind, parsed.value, parsed);
  return all.map((diagnostic) => `${diagnostic.code} ${diagnostic.pointer}`);
}

describe('the fixture corpus, judged by the schema phase alone', () => {
  test('has 180 files, 83 of them valid', () => {
    expect([rows.length, rows.filter((row) => row.validity === 'valid').length]).toEqual([180, 83]);
  });

  test.each(rows.filter((row) => row.validity === 'valid'))('accepts $path', (row) => {
    expect(judge(row)).toEqual([]);
  });

  test.each(rows.filter((row) => row.validity === 'invalid'))('refuses $path for its reason alone', (row) => {
    const found = judge(row);

    expect(found).toEqual(EXPECTED[row.path]);
    const pointer = /^(\/[^:\s]*):/.exec(row.reason)?.[1];
    if (pointer !== undefined) expect(found[0]?.split(' ')[1]).toBe(pointer === '/' ? '' : pointer);
  });
});
