import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The scripted model of `kit adapters verify` plays both sides: nobody else reads its prompts. */
const PLAYED = 'plugins/harness/src/verify/';

/** Rooms whose texts can reach a model: those that run agents, and plugins that speak for them. */
const ROOMS = ['src/engine', 'src/govern', 'src/worker', 'src/lib'].concat(
  ['models', 'mcp', 'harness'].map((name) => `plugins/${name}/src`),
);

/**
 * Sentences that ask for something and are told to people, by their file. The members `hint` of
 * errors and refusals are people's too.
 */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  'src/engine/harness/ask-about.ts': [
    'make the call again',
    'do not make it again',
    'Say whether the session goes on and makes the call again, or reject to end it.',
  ],
  'src/engine/skills/escalate.ts': ['The process died while', 'Do by hand what it was to do'],
  'src/govern/serving/api-keys.ts': ['keep one of them'],
  // An error of the protocol is told to whoever wrote the client.
  'src/lib/message-lines.ts': ['name files by their path'],
  'src/lib/nearest.ts': ['Did you mean'],
  // What a mock and the provider `rules` cannot answer is told to who configured them.
  'plugins/models/src/mock/sample-string.ts': ['give an `examples` in the output schema'],
  'plugins/models/src/rules/fill.ts': ['name one with `x-from`'],
  'plugins/mcp/src/sandbox/container.ts': ['Name a directory of the workspace.'],
  'plugins/mcp/src/server/connect-http.ts': ['Look at `credentials_ref`', 'Look at `endpoint`'],
  'plugins/mcp/src/settings.ts': ['Write `command` as a list', 'Write `endpoint` as a whole URL'],
  'plugins/harness/src/sandbox/image-runtime.ts': ['Write `sandbox.image`'],
  'plugins/harness/src/test-runner/run-tests.ts': ['no test command was found'],
};

const VERBS =
  /^(Answer|Write|Give|Go|Do|Make|Use|Call|Look|Say|Read|Judge|Treat|Correct|Keep|Leave|Ask|Try|Copy|Finish|Continue|Reply|Return|Respond|Summarise|Choose|Name|Cite|Change|Add|Include|List|Quote)\b/i;
const SECOND_PERSON = /\b(you|your|yours|yourself)\b/i;

const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

/** Speaks to somebody, or asks for something, in more than two words. */
const asks = (text: string): boolean =>
  (SECOND_PERSON.test(text) && wordsIn(text) > 2) ||
  text.split(/[;:.,]\s+|\n/).some((piece) => VERBS.test(piece.trim()) && wordsIn(piece) > 2);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'generated' || name === 'commands' ? [] : filesIn(path);
    return /\.tsx?$/.test(name) && !relative(ROOT, path).startsWith(PLAYED) ? [path] : [];
  });

interface Text {
  readonly text: string;
  /** The value of a member `hint`. */
  readonly isHint: boolean;
}

function textsIn(source: string): readonly Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node, isHint: boolean): void => {
    const inHint = isHint || (ts.isPropertyAssignment(node) && node.name.getText() === 'hint');
    if (ts.isStringLiteralLike(node)) found.push({ text: node.text, isHint: inHint });
    else if (ts.isTemplateExpression(node))
      found.push({
        text: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'),
        isHint: inHint,
      });
    ts.forEachChild(node, (child) => visit(child, inHint));
  };
  visit(ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true), false);
  return found;
}

/** Sentences of a file that ask for something, and that `PEOPLE` does not list. */
const straysIn = (file: string, source: string): readonly string[] =>
  textsIn(source)
    .filter(({ text }) => asks(text))
    .filter(({ text, isHint }) => !isHint && !(PEOPLE[file] ?? []).some((one) => text.includes(one)))
    .map(({ text }) => text);

describe('a sentence that a model reads', () => {
  it('stands in src/prompts', () => {
    const strays = ROOMS.flatMap((room) => filesIn(join(ROOT, room))).flatMap((path) => {
      const file = relative(ROOT, path);
      return straysIn(file, readFileSync(path, 'utf8')).map((text) => `${file}: ${text}`);
    });

    expect(strays).toEqual([]);
  });

  it.each([
    "const told = 'Your answer was empty.';",
    "say('the call failed; try another one');",
    'say(`Take $' + '{name}.\\nDo not call it again.`);',
  ])('is found where it stands elsewhere: %s', (source) => {
    expect(straysIn('src/engine/new.ts', source)).toHaveLength(1);
  });

  it.each([
    "fail('the tool failed and said nothing');",
    "throw new KitError('X', 'no', { hint: 'Name a directory.' });",
  ])('is not a fact or a hint: %s', (source) => {
    expect(straysIn('src/engine/new.ts', source)).toEqual([]);
  });

  it('has no row of the table for what is gone', () => {
    const gone = Object.entries(PEOPLE).flatMap(([file, known]) => {
      const texts = textsIn(readFileSync(join(ROOT, file), 'utf8')).filter(({ text }) => asks(text));
      return known.filter((one) => !texts.some(({ text }) => text.includes(one))).map((one) => `${file}: ${one}`);
    });

    expect(gone).toEqual([]);
  });
});
