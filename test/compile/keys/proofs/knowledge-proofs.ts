import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, head, workspace } from './agent-scene.js';
import type { RunProof } from './proof.js';

const BASE = 'Topology.artifacts.knowledge_bases.*';

/** One agent that searches two folders with documents in them. */
export const SEARCHING: Documents = {
  ...AGENTS,
  'workspace.json': { ...workspace, storage: {} },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'first', skills: ['search-docs'] } },
    artifacts: { knowledge_bases: [{ id: 'docs', path: 'docs' }] },
  },
};

/** Whatever word a model asks with, each document holds it. */
export async function putDocuments(directory: string): Promise<void> {
  for (const [path, text] of [
    ['docs/a.md', '# One\n\ntext value string query hello'],
    ['docs/b.txt', 'text value string query hello, too'],
    ['other/c.md', '# Other\n\ntext value string query hello'],
  ] as const) {
    const file = join(directory, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }
}

/** Keys of knowledge bases, shown by what an agent finds. */
export const KNOWLEDGE_PROOFS: readonly RunProof[] = [
  { key: `${BASE}.id`, a: 'docs', b: 'handbook', refuses: 'KIT_WORKSPACE_INVALID' },
  { key: `${BASE}.path`, a: 'docs', b: 'other' },
  { key: `${BASE}.include`, a: ['*.md'], b: ['*.txt'] },
  { key: `${BASE}.storage`, a: 'sqlite', b: 'postgres', refuses: 'KIT_STORE_UNAVAILABLE' },
  {
    key: 'Workspace.storage.knowledge_bases.default_backend',
    a: 'sqlite',
    b: 'postgres',
    refuses: 'KIT_STORE_UNAVAILABLE',
  },
];
