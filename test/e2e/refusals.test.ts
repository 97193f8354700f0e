import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { digestOf } from './repository.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  world.files('sound', talk());
  world.files('broken', {
    ...talk(),
    'topologies/talk.yaml': 'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: talk }\n',
  });
  world.files('typed', { ...talk(), 'topologies/talk.yaml': TYPED });
  world.files('plain', { 'a.txt': 'a' });
  world.files('torn', {
    'store.sqlite':
      'no database, but a text of more than a hundred bytes that somebody put where a store is expected. '.repeat(2),
  });
});
afterAll(() => world.dispose());

const TYPED =
  talk()['topologies/talk.yaml']?.replace(
    'agents:',
    'input_schema: { type: object, required: [n], properties: { n: { type: integer } } }\nagents:',
  ) ?? '';

const FUNNEL = `apiVersion: kit/v1
kind: Funnel
metadata: { id: gate, name: Gate, description: Somebody signs. }
approve: { rules: [{ scope: "release:approve", roles: [lead], quorum: all }] }
provenance: { authored_by: human, version: 1.0.0 }
`;
const ROLES = `apiVersion: kit/v1
kind: RoleRegistry
metadata: { id: people, name: People }
roles: [{ id: lead, members: [alice], scopes: ["release:approve"] }]
`;

describe('a key that this version does not carry out yet', () => {
  /** A coding agent that is to work where nothing lets it. */
  const AWAY = `apiVersion: kit/v1
kind: Archetype
metadata: { id: away, name: Away, description: Works elsewhere. }
role: worker
defaults: {}
executor: { kind: harness, ref: claude-code, config: { working_dir: elsewhere } }
provenance: { authored_by: human, version: 1.0.0 }
`;
  const reaching = () => ({
    ...talk(),
    'topologies/talk.yaml': `${talk()['topologies/talk.yaml']}      - { id: away, role: worker, archetype: away }\n`,
    'archetypes/away.yaml': AWAY,
  });

  it('refuses the run where the topology reaches it and governs something, and names the key', async () => {
    const dir = world.files('reached', reaching());

    const result = await world.here(['run', dir, 'talk', '--input', 'x', '--json']);

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_NOT_YET',
      message: expect.stringContaining('Archetype.executor.config.working_dir'),
    });
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });

  it('does not refuse a topology that does not reach it', async () => {
    const dir = world.files('unreached', reaching());
    world.files('unreached', {
      'topologies/free.yaml': talk()['topologies/talk.yaml']?.replace('name: talk', 'name: free') ?? '',
    });

    expect((await world.here(['run', dir, 'free', '--input', 'x'])).code).toBe(0);
  });
});

describe('a gate that excludes an author whom nobody knows', () => {
  const gated = (governance = '') =>
    talk({
      root: '    funnel: gate\n',
      workspace: governance,
      files: { 'funnels/gate.yaml': FUNNEL, 'roles/people.yaml': ROLES },
    });

  it('is told on stderr and in the result, with what to write instead, and the run parks', async () => {
    const dir = world.files('unidentified', gated());

    const plain = await world.here(['run', dir, 'talk', '--input', 'x', '--as', 'mallory']);
    const json = await world.here(['run', dir, 'talk', '--input', 'x', '--as', 'mallory', '--json']);

    expect(plain.code).toBe(3);
    expect(plain.stderr).toMatch(/^warning: author not identified: mallory .*Add mallory to a role/m);
    expect(lastOf(json)).toMatchObject({
      status: 'deferred',
      author_not_identified: { identity: 'mallory', hint: expect.stringContaining('Add mallory to a role') },
    });
  });

  it('says nothing of one who stands in the registry', async () => {
    const dir = world.files('identified', gated());

    const result = await world.here(['run', dir, 'talk', '--input', 'x', '--as', 'alice']);

    expect(result.code).toBe(3);
    expect(result.stderr).not.toContain('not identified');
  });

  it('is refused where the workspace demands an author, before anything is written', async () => {
    const dir = world.files('demanding', gated('governance: { provider: mock, require_identified_author: true }\n'));

    const result = await world.here(['run', dir, 'talk', '--input', 'x', '--as', 'mallory', '--json']);

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_AUTHOR_UNIDENTIFIED',
      // Who they are was said already.
      hint: expect.stringMatching(/^Add mallory to a role/),
    });
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });

  it('kit validate tells it of the user of this machine', async () => {
    const dir = world.files('validated', gated());

    const result = await world.here(['validate', dir]);

    expect(result.code).toBe(0);
    expect(result.stdout).toContain('info[funnel.author-unidentified]');
  });
});

/**
 * What a user may get wrong, command by command. `exit` 1 only where a workspace was read and found
 * invalid.
 */
const BAD: readonly {
  readonly argv: readonly string[];
  readonly exit?: 1;
  readonly code: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly shows?: RegExp;
}[] = [
  { argv: ['nonsense'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '--no-such-flag'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', 'too', 'many'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound'], code: 'KIT_INPUT_MISSING' },
  { argv: ['run', 'sound', 'unknown', '-i', 'x'], code: 'KIT_TOPOLOGY_UNKNOWN' },
  { argv: ['run', 'sound', 'talk@9.9.9', '-i', 'x'], code: 'KIT_TOPOLOGY_UNKNOWN' },
  { argv: ['run', 'nowhere', 'talk', '-i', 'x'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['run', 'plain', 'talk', '-i', 'x'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['run', 'broken', 'talk', '-i', 'x'], exit: 1, code: 'KIT_WORKSPACE_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--label', 'no-equals'], code: 'KIT_LABEL_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--label', '=value'], code: 'KIT_LABEL_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--label', 'a=1', '--label', 'a=2'], code: 'KIT_LABEL_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--label', `${'k'.repeat(129)}=v`], code: 'KIT_LABEL_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--timeout', 'soon'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--timeout', '0'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--timeout', '-5s'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--as', ''], code: 'KIT_USAGE' },
  { argv: ['ask', 'why', 'sound', '--as', ''], code: 'KIT_USAGE' },
  { argv: ['stop', 'x', 'sound', '--as', ' '], code: 'KIT_USAGE' },
  { argv: ['memory', 'list', '-w', 'sound', '--as', ''], code: 'KIT_USAGE' },
  { argv: ['chat', 'sound', '--as', ''], code: 'KIT_USAGE' },
  { argv: ['debug', 'fork', 'x', 'sound', '--from', 'a', '--as', ''], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '-i', 'x', '--attach', 'missing.png'], code: 'KIT_ATTACHMENT_INVALID' },
  { argv: ['run', 'sound', 'talk', '-i', 'x'], code: 'KIT_ENV_INVALID', env: { KIT_MAX_TOOLS: 'many' } },
  { argv: ['run', 'sound', 'talk', '--resume'], code: 'KIT_NOTHING_TO_RESUME' },
  { argv: ['run', 'sound', 'talk', '--resume=zzz'], code: 'KIT_JOB_UNKNOWN' },
  { argv: ['run', 'nowhere', 'talk', '--resume'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['run', 'sound', 'talk', '--resume', '--dry-run'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '--resume', '--timeout', '5'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '--resume', '-i', 'x', '--label', 'a=1'], code: 'KIT_USAGE' },
  { argv: ['run', 'sound', 'talk', '-i', 'x'], code: 'KIT_STORE_UNAVAILABLE', env: { KIT_STATE_DIR: 'plain/a.txt' } },
  { argv: ['stop'], code: 'KIT_USAGE' },
  { argv: ['stop', '000000000000', 'sound'], code: 'KIT_JOB_UNKNOWN' },
  { argv: ['stop', '000000000000', 'nowhere'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['checkpoints', 'nowhere'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['checkpoints', 'sound', '--limit', '0'], code: 'KIT_USAGE' },
  { argv: ['checkpoints', 'sound', '--limit', 'ten'], code: 'KIT_USAGE' },
  { argv: ['validate', 'nowhere'], code: 'KIT_WORKSPACE_NOT_FOUND' },
  { argv: ['validate', 'sound', '--format', 'poem'], code: 'KIT_USAGE' },
  { argv: ['validate', '--explain', 'no.such.code'], code: 'KIT_USAGE' },
  { argv: ['init', 'fresh', '--template', 'no-such-template', '--yes'], code: 'KIT_USAGE' },
  { argv: ['init', 'fresh'], code: 'KIT_USAGE', shows: /^hello / },
  { argv: ['init', 'fresh', '--template', 'hello'], code: 'KIT_USAGE', shows: /^template hello/ },
  { argv: ['init', 'plain/a.txt', '--yes'], code: 'KIT_USAGE' },
  { argv: ['plugins', 'inspect', 'no-such-plugin'], code: 'KIT_PLUGIN_UNKNOWN' },
  { argv: ['plugins', 'link', 'nowhere', '--yes'], code: 'KIT_PLUGIN_LOAD_FAILED' },
  { argv: ['plugins', 'uninstall', 'no-such-plugin'], code: 'KIT_PLUGIN_UNKNOWN' },
];

describe.each(BAD.map((bad) => ({ ...bad, line: bad.argv.join(' ').slice(0, 60) })))(
  'kit $line',
  ({ argv, exit = 2, code, env, shows = /^$/ }) => {
    it(`exits ${exit} with ${code} and what to do, and writes nothing`, async () => {
      const before = digestOf(world.base);

      const plain: KitResult = await world.here(argv, env === undefined ? {} : { env });

      expect(plain.code).toBe(exit);
      expect(plain.stdout).toMatch(shows);
      expect(plain.stderr).toContain(`error[${code}]: `);
      expect(plain.stderr).toMatch(/^ {2}hint: \S/m);
      expect(plain.stderr).not.toMatch(/^\s+at /m);
      expect(digestOf(world.base)).toBe(before);
      for (const name of ['sound', 'broken']) expect(readdirSync(join(world.base, name))).not.toContain('.kit');
    });
  },
);

describe('a store that is not a database', () => {
  it.each([
    ['run', 'sound', 'talk', '-i', 'x'],
    ['checkpoints', 'sound'],
    ['stop', '000000000000', 'sound'],
    ['run', 'sound', '--resume'],
  ])('refuses kit %s with one message and exit 2', async (...argv) => {
    const result = await world.here([...argv, '--json'], { env: { KIT_STATE_DIR: 'torn' } });

    expect(result).toMatchObject({ code: 2, stderr: '' });
    expect(result.lines()).toMatchObject([
      { type: 'error', code: 'KIT_STORE_UNAVAILABLE', message: expect.stringContaining('store.sqlite') },
    ]);
  });
});

describe('an input that does not fit the input_schema', () => {
  it('is refused with each place that is wrong, and the refusal is the one thing that is recorded', async () => {
    const dir = join(world.base, 'typed');

    const result = await world.here(['run', dir, 'talk', '--input', '{"n": "one"}', '--json']);

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_INPUT_INVALID',
      data: { errors: [{ pointer: '/n' }] },
    });
    expect(lastOf(await world.here(['checkpoints', dir, '--json']))).toMatchObject({ checkpoints: [] });
    expect((await world.here(['run', dir, 'talk', '--input', '{"n": 1}'])).code).toBe(0);
  });

  it('is refused by a dry run as well, which writes nothing; without an input it asks for none', async () => {
    const dir = world.files('dry', { ...talk(), 'topologies/talk.yaml': TYPED });

    const refused = await world.here(['run', dir, 'talk', '--dry-run', '--input', 'x', '--json']);
    const shown = await world.here(['run', dir, 'talk', '--dry-run', '--json']);

    expect(lastOf(refused)).toMatchObject({ type: 'error', code: 'KIT_INPUT_INVALID', exit: 2 });
    expect(shown.code).toBe(0);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });
});
