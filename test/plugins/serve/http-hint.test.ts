import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      'doctor',
      'eval',
      'init',
      'mcp',
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
    [
      'Answer as one of them: kit review approve i-0 --as <identity>',
      'Answer as one of them: POST /review/i-0/approve',
    ],
    ['or give the run up: kit stop 0123', 'or give the run up: POST /jobs/0123/stop'],
    ['Submit the run again with --as <identity>.', 'Submit the run again with a key or token of that person.'],
    ['Run `kit storage migrate`.', 'Run `kit storage migrate`.'],
    ['Look at the changes with `kit diff 0123`.', 'Look at the changes with GET /jobs/0123/diff.'],
    ['look at each with `kit diff 0123 AGENT`.', 'look at each with GET /jobs/0123/diff.'],
    ['no command at all', 'no command at all'],
  ])('%s', (hint, said) => {
    expect(overHttp(hint)).toBe(said);
  });

  it('covers every command that a hint in the code quotes', () => {
    const files = globSync('src/{app,compile,domain,engine,govern,store,worker}/**/*.ts', { cwd: projectRoot });
    const quoted = files.flatMap((file) =>
      [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/hint:[^\n]*/g)].flatMap(([line]) =>
        commandsIn(line.replaceAll('\\`', '`').replaceAll(/\$\{[^}]*\}/g, 'ID')),
      ),
    );

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
