import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import type { SchemaKind } from '../../../src/compile/schema/schema-kind.js';
import type { Diagnostic } from '../../../src/domain/diagnostic.js';
import { diagnosticsJson } from '../../../src/text/diagnostics/diagnostics-json.js';
import { renderDiagnostics } from '../../../src/text/diagnostics/diagnostics-pretty.js';

const folder = new URL('../../fixtures/artifacts/', import.meta.url);
const FIXTURES = globSync('*/*/*.yaml', { cwd: folder.pathname })
  .sort()
  .map((name) => ({ kind: kindOf(name), ...textsOf(readFileSync(new URL(name, folder), 'utf8')) }));

function textsOf(text: string): { readonly text: string; readonly json: string } {
  return { text, json: JSON.stringify(parseSource({ path: 'a.yaml', text }).parsed?.value, null, '\t') };
}

function kindOf(path: string): SchemaKind {
  const words = (path.split('/')[0] ?? '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') as SchemaKind;
}

/** Pieces of YAML that parsers trip over. */
const SPLINTER = fc.constantFrom(
  '\n',
  '\t',
  ': ',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '&x ',
  '*x',
  '!!binary ',
  '|\n',
  '>',
  '#',
  '---\n',
  '...\n',
  '? ',
  '<<: *x\n',
  '\uFEFF',
  '\u0000',
  '\ud800',
  '😀',
  '漢',
  '%YAML 1.1\n',
  '\r',
  'null',
  '1e999',
  '0x1F',
  '~',
  '${A',
  '{credential.x}',
);

interface Edit {
  readonly at: number;
  readonly drop: number;
  readonly insert: string;
}
const EDIT: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat(12),
  insert: fc.oneof(SPLINTER, fc.string({ maxLength: 8 })),
});

function mutate(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, edit) => {
    const from = Math.floor(edit.at * current.length);
    return current.slice(0, from) + edit.insert + current.slice(from + edit.drop);
  }, text);
}

function spansOf(diagnostic: Diagnostic): readonly { readonly start: number; readonly end: number }[] {
  return [
    ...(diagnostic.span === undefined ? [] : [diagnostic.span]),
    ...(diagnostic.related ?? []).map((related) => related.span),
  ];
}

test('a mutated file never makes the compiler throw, and every place lies inside its text', () => {
  const counts = { fits: 0, schema: 0, syntax: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...FIXTURES), fc.array(EDIT, { maxLength: 3 }), fc.nat(9), (fixture, edits, dice) => {
      const isJson = dice === 0;
      const text = mutate(isJson ? fixture.json : fixture.text, edits);
      const path = isJson ? 'a.json' : 'a.yaml';
      const { parsed, diagnostics: syntax } = parseSource({ path, text });
      const diagnostics = parsed === null ? syntax : checkSchema(fixture.kind, parsed.value, parsed);
      counts[parsed === null ? 'syntax' : diagnostics.length > 0 ? 'schema' : 'fits'] += 1;

      expect(parsed === null).toBe(syntax.length > 0);
      for (const diagnostic of diagnostics) {
        expect(spansOf(diagnostic).length).toBeGreaterThan(0);
        for (const span of spansOf(diagnostic)) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
        expect(diagnostic.message).toMatch(/^[^A-Z].*[^.]$/su);
      }
      const sources = new Map([[path, text]]);
      const rendered = renderDiagnostics(diagnostics, sources, { color: false, width: 80 });
      expect(rendered).not.toMatch(/[^\P{Cc}\n]/u);
      expect(JSON.stringify(diagnosticsJson(diagnostics, sources))).toContain(diagnostics[0]?.code ?? '[]');
    }),
    { seed: 20_260_101, numRuns: 4_000, interruptAfterTimeLimit: 18_000, markInterruptAsFailure: false },
  );
  // The property says nothing about phases that no case reached.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50);
}, 30_000);
