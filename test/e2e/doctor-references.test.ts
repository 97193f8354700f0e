import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../support/http/serve-process.js';
import type { KitResult } from '../support/kit-process.js';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const PACKS = `command_packs:
  - id: clock
    env: { ZONE: "\${MY_ZONE}", ELSE: "\${ELSE_ZONE:-utc}" }
    commands:
      - { id: today, argv: [date, +%Y], effects: read }
      - { id: later, argv: [no-such-date], effects: read }
`;
const SERVER = 'mcp_servers:\n  - { id: notes, transport: stdio, command: [node], env: { NOTES: "${NOTES_DIR}" } }\n';

/** Rows of what is named and not here, as they are printed. */
const lacks = (run: KitResult): readonly string[] =>
  (run.lines()[0] as { checks: readonly { id: string; status: string; found: string; fix: string }[] }).checks
    .filter(({ id }) => /^(variable|program)\./.test(id))
    .map(({ id, status, found, fix }) => `${status} ${id}: ${found} => ${fix}`);

describe('what skills and tool servers name and this machine lacks', () => {
  it('is found by kit doctor before a call fails: a failure where an agent uses it, else a warning', async () => {
    const workspace = PACKS + SERVER;
    const unused = world.files('unused', talk({ workspace }));
    const used = world.files('used', talk({ workspace, root: '    skills: [clock-today, clock-later]\n' }));
    const doctor = (dir: string, env: NodeJS.ProcessEnv = {}) => world.here(['doctor', dir, '--json'], { env });

    expect(lacks(await doctor(unused))).toEqual([
      'warn program.no-such-date: no-such-date is not on PATH, and the skill clock-later, which no agent uses, needs it => Install no-such-date, and put it on PATH.',
      'warn variable.MY_ZONE: MY_ZONE is not set, and the skill clock-today, which no agent uses, needs it => export MY_ZONE=<its value>',
      'warn variable.NOTES_DIR: NOTES_DIR is not set, and the tool server notes, which no agent uses, needs it => export NOTES_DIR=<its value>',
    ]);
    const lacking = await doctor(used);
    expect(lacking.code).toBe(1);
    expect(lacks(lacking).map((line) => line.split(':')[0])).toEqual([
      'fail program.no-such-date',
      'fail variable.MY_ZONE',
      'warn variable.NOTES_DIR',
    ]);
    expect(lacks(await doctor(used, { MY_ZONE: 'utc', NOTES_DIR: '/notes' }))).toHaveLength(1);
  });

  it('is what a server says first at its start', async () => {
    const server = await startServe([world.files('served', talk({ workspace: PACKS }))], world.env);
    try {
      await expect
        .poll(() => server.stderr())
        .toContain(
          'warn the environment variable MY_ZONE is not set, and the skill clock-today needs it; a run that began where it is there is left to another process\n',
        );
    } finally {
      server.kill('SIGTERM');
    }
    expect(await server.ended).toBe(0);
  });
});
