import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../../../plugins/serve/src/server/problem.js';
import { ERROR_REGISTRY, type ErrorCode } from '../../../src/domain/error-registry.js';
import { KitError } from '../../../src/domain/errors.js';
import { httpHint, overHttp, routeOf } from '../../../src/view/http-hint.js';
import { projectRoot } from '../../support/kit-process.js';

/** What no route does: whoever operates the server does it in a shell, beside it. */
const SHELL_ONLY = new RegExp(
  `^kit (${[
    ...[
      'adapters',
      'apply',
      'auth',
      'chat',
      'comprehension',
      'conversations',
      'credentials rotate-key',
      'doctor',
      'eval',
      'debug fork',
      'init',
      'mcp',
      'new',
      'providers',
      'report',
      'serve',
      'skill import',
      'trust',
      'upgrade',
    ],
    ...['storage migrate', 'storage prune', 'top', 'verify', 'worker', 'review export', 'review key', 'logs\\|'],
    ...['plugins (install|list|update|uninstall|new|check|link)', 'run --record FILE', 'run --dry-run', 'run --trust'],
  ].join('|')})`,
);
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(kit [^`\n]+)`/g)].map(([, command = '']) => command);
/** A command that a client of HTTP is told although a route does the same. */
const forShells = (text: string): readonly string[] => commandsIn(text).filter((command) => !SHELL_ONLY.test(command));

/** Where the texts of refusals are written, wherever they are shown. */
const ROOMS = 'src/{app,compile,domain,engine,govern,store,worker}/**/*.ts';
/** Use cases that no route reaches: what they say is read in the shell that asked for it. */
const SHELL_ROOMS =
  /generated|^src\/(store\/move|app\/(adapters|ask|doctor|init|plugins|scaffold|upgrade))\/|domain\/(env|breaking-changes)\.ts$/;

/** Each text of a file, with ID for what is put into it. */
function textsIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(projectRoot, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('ID'));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Commands of a text that a route does as well; the longest form of each. One with variables in
 * front of it is a line for a shell.
 */
function routedIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w@/.-]|`ID )kit (?=[a-z])/g)].flatMap(({ index }) => {
    const words = text.slice(index).split(/\s+/).slice(0, 9);
    const forms = words.map((_, at) =>
      words
        .slice(0, at + 1)
        .join(' ')
        .replace(/[`'".,;:)]+$/, ''),
    );
    const routed = forms.filter((form) => routeOf(form) !== null).at(-1);
    return routed === undefined || SHELL_ONLY.test(text.slice(index)) ? [] : [routed];
  });
}

const CODES = Object.keys(ERROR_REGISTRY) as ErrorCode[];

describe('what a refusal over HTTP tells to do next', () => {
  it.each(CODES)('%s names no command that a route does as well', (code) => {
    const hint = httpHint(code, undefined);

    expect(hint).not.toBe('');
    expect(forShells(hint)).toEqual([]);
    expect(hint).not.toMatch(/--(as|help|resume|approve)\b|KIT_VERBOSE/);
  });

  it.each([
    ['Run `kit status` to list the runs.', 'Ask GET /jobs to list the runs.'],
    ['Resume it with `kit run --resume=0123`, then decide.', 'Resume it with POST /jobs/0123/resume, then decide.'],
    ['Run `kit review gate 0123:w` to see how it stands.', 'Ask GET /gates/0123:w to see how it stands.'],
    ['Decide it with `kit review resolve i-0 --as <identity>`.', 'Decide it with POST /review/i-0/resolve.'],
    ['qa or dev can: kit review resolve i-0 --as qa --approve', 'qa or dev can: POST /review/i-0/resolve'],
    ["qa can: kit review resolve i-0 --as qa --reject --comment 'not so'", 'qa can: POST /review/i-0/resolve'],
    [
      'Answer as one of them: kit review approve i-0 --as <identity>',
      'Answer as one of them: POST /review/i-0/approve',
    ],
    ['or give the run up: kit stop 0123', 'or give the run up: POST /jobs/0123/stop'],
    ['Submit the run again with --as <identity>.', 'Submit the run again with a key or token of that person.'],
    ['Run `kit storage migrate`.', 'Run `kit storage migrate`.'],
    ['Look at the changes with `kit diff 0123`.', 'Look at the changes with GET /jobs/0123/diff.'],
    ['look at each with `kit diff 0123 AGENT`.', 'look at each with GET /jobs/0123/diff.'],
    ['Say what should change with --comment.', 'Say what should change with `comment`.'],
    ['Your own words go into --comment.', 'Your own words go into `comment`.'],
    ['no command at all', 'no command at all'],
  ])('%s', (hint, said) => {
    expect(overHttp(hint)).toBe(said);
  });

  it('covers every command that a text of a use case names, quoted or not', () => {
    const texts = globSync(ROOMS, { cwd: projectRoot })
      .filter((file) => !SHELL_ROOMS.test(file))
      .flatMap((file) => textsIn(file));
    const left = texts.flatMap((text) => routedIn(overHttp(text)).map((command) => `${command} in: ${text}`));

    expect(texts.filter((text) => /\bkit [a-z]/.test(text)).length).toBeGreaterThan(80);
    expect(left).toEqual([]);
  });

  it('names no command of a shell that nobody has decided about', () => {
    const quoted = globSync(ROOMS, { cwd: projectRoot })
      .filter((file) => !SHELL_ROOMS.test(file))
      .flatMap((file) => textsIn(file).flatMap(commandsIn));

    expect(quoted.length).toBeGreaterThan(20);
    expect([...new Set(quoted)].filter((command) => routeOf(command) === null && !SHELL_ONLY.test(command))).toEqual(
      [],
    );
  });

  it('is in the problem document, and so is a detail', () => {
    const error = new KitError('KIT_ALREADY_DECIDED', 'look at `kit review list`', {
      hint: 'Resume it with `kit run --resume=0123`, then decide.',
    });

    expect(problemOf(error, '/review/x')).toMatchObject({
      detail: 'look at GET /review',
      hint: 'Resume it with POST /jobs/0123/resume, then decide.',
    });
  });
});
