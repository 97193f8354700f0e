import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const folder = join(projectRoot, 'templates/plugins');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const inJavaScript = (path: string): string => path.replace('/typescript/', '/src/').replace(/\.ts$/, '.js');
const typed = globSync('*/typescript/**/*.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));

/** A cast needs parentheses, and what is cast in one language is none in the other. */
const withoutParentheses: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  const visit = (node: ts.Node): ts.Node =>
    ts.visitEachChild(ts.isParenthesizedExpression(node) ? node.expression : node, visit, context);
  return ts.visitEachChild(file, visit, context);
};

/** What a module does: its code without types, comments and layout. */
function doingOf(path: string): string {
  const { outputText } = ts.transpileModule(read(path), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
      allowJs: true,
    },
    transformers: { before: [withoutParentheses] },
  });
  return outputText.replaceAll(/\s+/g, '').replaceAll(/,(?=[\])}])/g, '');
}

/** Comments that are sentences: those of types are of one language alone. */
const sentencesOf = (path: string): string =>
  [...read(path).matchAll(/\/\*\*([\s\S]*?)\*\/|^\s*\/\/(.*)$/gm)]
    .map(([, block = '', line = '']) =>
      `${block} ${line}`
        .replaceAll(/^\s*\*/gm, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .map((text) => text.replace(/\s*@[\s\S]*$/, ''))
    .filter((text) => text !== '')
    .join('\n');

describe('a skeleton of a plugin', () => {
  it('is there in both languages, module for module', () => {
    const plain = globSync('*/src/**/*.js', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
    expect(typed.map(inJavaScript).sort()).toEqual(plain.sort());
    expect(typed.length).toBeGreaterThanOrEqual(16);
  });

  it.each(typed)('%s does what its JavaScript does', (path) => {
    expect(doingOf(path)).toBe(doingOf(inJavaScript(path)));
  });

  it.each(typed)('%s says what its JavaScript says', (path) => {
    const plain = sentencesOf(inJavaScript(path));
    for (const sentence of plain.split('\n')) expect(sentencesOf(path)).toContain(sentence);
  });
});
