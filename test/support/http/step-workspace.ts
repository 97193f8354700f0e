import { idleTopology, idleWorkspace } from './idle-workspace.js';

const SKILL = {
  apiVersion: 'kit/v1',
  kind: 'Skill',
  category: 'capability',
  inputs: { type: 'object', properties: {} },
  provenance: { authored_by: 'human', version: '1.0.0' },
};

const skill = (id: string): string =>
  JSON.stringify({
    ...SKILL,
    metadata: { id, name: id, description: `Does ${id}.` },
    implementation: { type: 'command', pack: 'steps', command: id },
  });

/**
 * `steps`: an agent that calls `first`, which writes a line, then `second`, which writes a line and
 * waits until the file `go` is there, and answers. The lines of `lines.txt` tell how often each was
 * done.
 */
export const stepWorkspace = (of: Parameters<typeof idleWorkspace>[0] = {}) =>
  idleWorkspace({
    ...of,
    workspace: {
      ...of.workspace,
      command_packs: [
        {
          id: 'steps',
          commands: [
            {
              id: 'first',
              description: 'Writes.',
              argv: ['sh', '-c', 'echo first >> lines.txt'],
              effects: 'write',
              output: { parse: 'text' },
            },
            {
              id: 'second',
              description: 'Writes and waits.',
              argv: ['sh', '-c', 'echo second >> lines.txt; while [ ! -e go ]; do sleep 0.05; done; echo done'],
              effects: 'write',
              output: { parse: 'text' },
            },
          ],
        },
      ],
    },
    files: {
      'skills/first.yaml': skill('first'),
      'skills/second.yaml': skill('second'),
      'topologies/steps.yaml': idleTopology('steps', {
        options: {
          script: [{ tool_calls: [{ name: 'first' }] }, { tool_calls: [{ name: 'second' }] }, { text: 'all done' }],
        },
        skills: ['first', 'second'],
      }),
      ...of.files,
    },
  });
