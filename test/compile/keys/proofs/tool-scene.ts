import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, described, head, provenance, workspace } from './agent-scene.js';

/** One agent that holds one tool of a server; the server tells what it was told. */
export const TOOLS: Documents = {
  ...Object.fromEntries(Object.entries(AGENTS).filter(([path]) => !path.startsWith('skills/'))),
  'workspace.json': {
    ...workspace,
    credentials: {
      token: { source: 'env', config: { env: 'TOKEN' } },
      spare: { source: 'env', config: { env: 'OTHER' } },
    },
    mcp_servers: [
      {
        id: 'files',
        transport: 'stdio',
        command: ['serve'],
        endpoint: 'http://localhost/mcp',
        credentials_ref: 'token',
      },
      { id: 'spare', transport: 'stdio', command: ['serve'] },
    ],
  },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'first', skills: ['use'] } },
  },
  'skills/use.json': {
    ...head('Skill'),
    metadata: described('use'),
    category: 'capability',
    implementation: { type: 'mcp_tool', server: 'files', tool: 'look' },
    provenance,
    audit: { log_outputs: 'full' },
  },
};
