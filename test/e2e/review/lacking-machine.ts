import { chmod } from 'node:fs/promises';
import { localProvider, talk } from '../workspaces.js';
import type { World } from '../world.js';
import { gated } from './gated-workspace.js';

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
/** `storage`: a line of workspace.yaml; default: the runs lie in the directory. */
export const needyWorkspace = (storage = ''): Record<string, string> =>
  talk({
    provider: 'local',
    workspace: `${storage}${WORDS}`,
    root: '    funnel: sign-off\n    skills: [note]\n',
    files: {
      'providers/local.yaml': localProvider,
      'funnels/sign-off.yaml': SIGNED['funnels/sign-off.yaml'] ?? '',
      'roles/people.yaml': SIGNED['roles/people.yaml'] ?? '',
      'skills/note.yaml': skill,
    },
  });

export type Lack = 'key' | 'credential' | 'program';
export const SAID: Readonly<Record<Lack, string>> = {
  key: 'the environment variable LOCAL_KEY is not set, and the provider local needs it',
  credential: 'nothing is behind the credential notes, and the skill note needs it',
  program: 'the program kit-test-program is not found, and the skill note needs it',
};

/** A directory with the program that the skill of the workspace starts. */
export async function programsIn(world: World, name: string): Promise<string> {
  const programs = world.files(name, { 'kit-test-program': '#!/bin/sh\necho noted\n' });
  await chmod(`${programs}/kit-test-program`, 0o755);
  return programs;
}

/** The environment of a machine that has all of it, but for what is named. */
export const machineWithout = (
  lack: Lack | null,
  { modelUrl, programs }: { readonly modelUrl: string; readonly programs: string },
): NodeJS.ProcessEnv => ({
  MODEL_URL: modelUrl,
  LOCAL_KEY: lack === 'key' ? '' : 'local-test-key',
  NOTES_TOKEN: lack === 'credential' ? '' : 'notes-test-token',
  PATH: lack === 'program' ? process.env.PATH : `${programs}:${process.env.PATH}`,
});
