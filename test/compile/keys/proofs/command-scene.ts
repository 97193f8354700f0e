import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunWrite } from '../../../../src/domain/journal.js';
import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, described, head, provenance, workspace } from './agent-scene.js';

const command = (id: string, script: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  argv: ['sh', '-c', script, '{text}'],
  effects: 'read',
  output: { parse: 'text' },
  ...more,
});

/**
 * Says what it was given, where it is, how long its secret is and what its environment holds; never
 * the secret itself.
 */
const SAY = 'echo "$0 in $(basename "$PWD"), secret of $(printf %s "$SECRET" | wc -c), mode $MODE"';

/** One agent that holds every command of a pack. */
export const COMMANDS: Documents = {
  ...Object.fromEntries(Object.entries(AGENTS).filter(([path]) => !path.startsWith('skills/'))),
  'workspace.json': {
    ...workspace,
    credentials: {
      token: { source: 'env', config: { env: 'TOKEN', path: 'secret.txt' } },
      spare: { source: 'env', config: { env: 'OTHER' } },
    },
    command_packs: [
      {
        id: 'pack',
        env: { SECRET: '{credential.token}', MODE: 'one' },
        credentials_ref: 'token',
        commands: [command('say', SAY), command('shout', 'echo "$0!"', { effects: 'write' })],
      },
      { id: 'other', commands: [command('say', 'echo other')] },
    ],
  },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'first' } },
  },
  'archetypes/first.json': { ...AGENTS['archetypes/first.json'], skills: ['pack:pack'] },
  'skills/run.json': {
    ...head('Skill'),
    metadata: described('run'),
    category: 'capability',
    implementation: { type: 'command', pack: 'pack', command: 'say' },
    provenance,
  },
};

export const putSecret = (directory: string): Promise<void> =>
  writeFile(join(directory, 'secret.txt'), 'a-secret-in-a-file');

/** The process dies while a tool is under way. */
export const diesInTool = (write: RunWrite): boolean => write.op === 'step.started' && write.row.kind === 'tool';
