import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { localProvider, talk } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
let model: LeaderServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

const SIGNED = gated();
/** What a run of `talk` here refers to, each under its own name. */
const WORDS = `command_packs:
  - id: notes
    credentials_ref: notes
    commands:
      - id: note
        description: Notes a text.
        argv: [kit-test-program]
        effects: read
        output: { parse: text }
credentials: { notes: { source: env, config: { env: NOTES_TOKEN } } }
`;
const skill = `apiVersion: kit/v1
kind: Skill
metadata: { id: note, name: Note, description: Notes a text in a file. }
category: capability
implementation: { type: command, pack: notes, command: note }
provenance: { authored_by: human, version: 1.0.0 }
`;
const workspace = (): Record<string, string> =>
  talk({
    provider: 'local',
    workspace: WORDS,
    root: '    funnel: sign-off\n    skills: [note]\n',
    files: {
      'providers/local.yaml': localProvider,
      'funnels/sign-off.yaml': SIGNED['funnels/sign-off.yaml'] ?? '',
      'roles/people.yaml': SIGNED['roles/people.yaml'] ?? '',
      'skills/note.yaml': skill,
    },
  });

type Lack = 'key' | 'credential' | 'program';
const SAID: Readonly<Record<Lack, string>> = {
  key: 'the environment variable LOCAL_KEY is not set, and the provider local needs it',
  credential: 'nothing is behind the credential notes, and the skill note needs it',
  program: 'the program kit-test-program is not found, and the skill note needs it',
};

/** The environment of a machine that has all of it, but for what is named. */
function environment(lack: Lack | null, programs: string): NodeJS.ProcessEnv {
  return {
    MODEL_URL: model.url,
    LOCAL_KEY: lack === 'key' ? '' : 'local-test-key',
    NOTES_TOKEN: lack === 'credential' ? '' : 'notes-test-token',
    PATH: lack === 'program' ? process.env.PATH : `${programs}:${process.env.PATH}`,
  };
}

describe.each(['key', 'credential', 'program'] as const)('a machine without the %s of a parked run', (lack) => {
  it('takes decisions, leaves the run as it is, and says what is lacking', async () => {
    const at = world.files(lack, workspace());
    const programs = world.files(`${lack}-programs`, { 'kit-test-program': '#!/bin/sh\necho noted\n' });
    const { chmod } = await import('node:fs/promises');
    await chmod(`${programs}/kit-test-program`, 0o755);
    const [whole, lacking] = [{ env: environment(null, programs) }, { env: environment(lack, programs) }];
    const before = model.asked().length;
    const run = await world.here(['run', at, 'talk', '--input', 'hi', '--as', 'dana'], whole);
    expect(run.code, run.stderr).toBe(3);
    const [, id = ''] = /run ([0-9a-f]{12})/.exec(run.stderr) ?? [];
    const paid = model.asked().length;
    expect(paid).toBeGreaterThan(before);
    const statusOf = async () =>
      (await world.here(['status', at, '--json'], lacking))
        .lines()
        .flatMap(({ runs }) => runs as { status: string }[])[0]?.status;

    const [qa, ops] = await Promise.all(
      ['qa', 'ops'].map((role) =>
        world.here(['review', 'resolve', `mpa-${id}:boss-0-${role}`, at, '--as', `${role}-1`, '--approve'], lacking),
      ),
    );
    expect([qa?.code, ops?.code], `${qa?.stderr}${ops?.stderr}`).toEqual([0, 0]);
    expect(`${qa?.stdout}${ops?.stdout}`).toContain(SAID[lack]);
    expect(await statusOf()).toBe('pending');

    const resumed = await world.here(['run', at, 'talk', `--resume=${id}`], lacking);
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining(SAID[lack])]);
    expect((await world.here(['checkpoints', at], lacking)).stdout).toContain(SAID[lack]);
    expect((await world.here(['why', id, at], lacking)).stdout).toContain(SAID[lack]);
    expect([await statusOf(), model.asked().length]).toEqual(['pending', paid]);

    const done = await world.here(['run', at, 'talk', `--resume=${id}`], whole);
    expect(done.code, done.stderr).toBe(0);
    expect([await statusOf(), model.asked().length]).toEqual(['completed', paid]);
  });
});
