import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { requestIn, shown } from './situation.js';
import { SITUATIONS } from './situations.js';

const ROOT = join(import.meta.dirname, '../..');
const MODULE = join(ROOT, 'src/prompts');

/** Every text that stands in a file, templates in their pieces. */
function textsIn(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

const PROMPTS: readonly string[] = readdirSync(MODULE).flatMap((file) => textsIn(join(MODULE, file)));
/** What the situations give: names, tasks, answers of models and people, descriptions. */
const GIVEN: readonly string[] = [
  'scenes.ts',
  'situations.ts',
  'situations-planned.ts',
  'situations-decided.ts',
  '../support/run-world.ts',
  '../support/deciding.ts',
].flatMap((file) => textsIn(join(import.meta.dirname, file)));

/** Words that neither the module holds nor the situation gives, nor `facts` of what happened. */
function straysIn({ messages, tools, outputSchema }: ModelRequest, facts: readonly string[]): readonly string[] {
  const known = [...PROMPTS, ...GIVEN, ...facts]
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text.length > 2)
    .sort((a, b) => b.length - a.length);
  const ofLine = (text: string): readonly string[] => {
    let rest = text;
    for (const one of known) rest = rest.replaceAll(one, '\n');
    const pieces = rest.split('\n').flatMap((piece) => piece.match(/[A-Za-z']+(?: [A-Za-z']+){2,}/g) ?? []);
    const at = text.indexOf('{');
    if (pieces.length === 0 || at < 0) return pieces;
    try {
      // Texts within JSON have other quotes than those of the sources.
      return [...ofLine(text.slice(0, at)), ...ofValue(JSON.parse(text.slice(at)))];
    } catch {
      return pieces;
    }
  };
  const ofValue = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return value.split('\n').flatMap(ofLine);
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(ofValue) : [];
  };
  return ofValue([messages, tools, outputSchema]);
}

/** Numbers, marks and times differ from run to run. */
const settled = (text: string): string =>
  text.replace(/\b[0-9a-f]{16}\b/g, '<mark>').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

describe('what a model is told', () => {
  it('is written down for forty situations and more, each with a name of its own', () => {
    expect(SITUATIONS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(SITUATIONS.map(({ name }) => name)).size).toBe(SITUATIONS.length);
    const files = readdirSync(join(ROOT, 'test/fixtures/prompts')).map((file) => file.replace(/\.md$/, ''));
    expect(files.sort()).toEqual(SITUATIONS.map(({ name }) => fileOf(name)).sort());
  });

  it.each(SITUATIONS)('when $name', async (situation) => {
    const { request, facts } = await requestIn(situation);

    expect(straysIn(request, facts)).toEqual([]);
    const page = `# What a model is told when ${situation.name}\n\n${settled(shown(request))}`;
    await expect(page).toMatchFileSnapshot(`../fixtures/prompts/${fileOf(situation.name)}.md`);
  });

  it('is seen to stand elsewhere', () => {
    const parts = [{ type: 'text', text: 'You are told here what stands nowhere else.' }] as const;
    const request = { messages: [{ role: 'user', parts }], tools: [], outputSchema: null } as unknown as ModelRequest;

    expect(straysIn(request, [])).not.toEqual([]);
  });
});

function fileOf(name: string): string {
  return name.replace(/[^a-z]+/g, '-');
}
