import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KitResult } from '../support/kit-process.js';
import { makeRepositoryIn, type Repository } from './repository.js';
import type { World } from './world.js';

const PROVENANCE = 'provenance: { authored_by: human, version: 1.0.0 }\n';

/** An adapter whose program does what a shell script says, then ends with `done`. */
const adapter = (id: string, script: string): string => `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: ${id}, name: ${id}, description: A program of this test. }
spec:
  launch: { command: [sh, -c, '${script}; echo "{\\"type\\":\\"done\\"}"', "{task.statement}"] }
  stream: { format: jsonl }
  event_map:
    - when: { type: done }
      emit: [{ event: result, with: { status: success, output: done } }]
${PROVENANCE}`;
const archetype = (id: string): string => `apiVersion: kit/v1
kind: Archetype
metadata: { id: ${id}, name: ${id}, description: Carried out by a program of this test. }
role: worker
defaults: {}
executor: { kind: harness, ref: ${id} }
${PROVENANCE}`;

interface Scripts {
  readonly builder: string;
  readonly writer: string;
}

const workspace = ({ builder, writer }: Scripts, funnel: boolean): Record<string, string> => ({
  'kit/workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: team, name: Team }\nmemory: { enabled: false }\n',
  'kit/adapters/builder.yaml': adapter('builder', builder),
  'kit/adapters/writer.yaml': adapter('writer', writer),
  'kit/archetypes/builder.yaml': archetype('builder'),
  'kit/archetypes/writer.yaml': archetype('writer'),
  'kit/roles/people.yaml':
    'apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People }\nroles: [{ id: lead, members: [ann], scopes: ["code:merge"] }]\nidentities: []\n',
  'kit/funnels/review.yaml': `apiVersion: kit/v1
kind: Funnel
metadata: { id: review, name: Review, description: A lead signs the change. }
approve: { rules: [{ scope: "code:merge", roles: [lead], quorum: all }] }
${PROVENANCE}`,
  'kit/topologies/work.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: work, version: 1.0.0, description: Two programs change files. }
agents:
  root:
    id: boss
    role: root
    model: { provider: rules, name: rules }
    prompt: { system: Delegate to both. }
    output_schema: { type: object, properties: { ok: { type: string, x-from: $.builder } } }
    children:
      - { id: builder, role: worker, archetype: builder${funnel ? ', funnel: review' : ''} }
      - { id: writer, role: worker, archetype: writer }
`,
  'numbers.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
});

const EDITS: Scripts = {
  builder: 'cd .. && sed -i s/two/TWO/ numbers.txt',
  writer: 'cd .. && sed -i s/nine/NINE/ numbers.txt && echo new >new.txt',
};

export interface Ran {
  readonly repo: Repository;
  readonly id: string;
  readonly text: string;
  kit(...argv: string[]): Promise<KitResult>;
  read(path: string): string;
}

/** Runs `work` in a repository of its own whose workspace is the folder `kit`. */
export async function ran(world: World, name: string, scripts: Partial<Scripts> = {}, funnel = false): Promise<Ran> {
  const repo = makeRepositoryIn(world, name, workspace({ ...EDITS, ...scripts }, funnel));
  const kit = (...argv: string[]): Promise<KitResult> => world.here(argv, { cwd: join(repo.root, 'kit') });
  const refused = await kit('run', 'work', '--input', 'go');
  const trust = [...refused.stderr.matchAll(/--trust ([0-9a-f]{64})/g)].flatMap(([, digest]) => [
    '--trust',
    digest ?? '',
  ]);
  const result = await kit('run', 'work', '--input', 'go', ...trust);
  const id = /run ([0-9a-f]{12}) of work/.exec(`${result.stdout}${result.stderr}`)?.[1] ?? '';
  if (id === '') throw new Error(`${(await kit('validate')).stdout}${refused.stderr}${result.stderr}`);
  return {
    repo,
    id,
    text: `${result.stdout}${result.stderr}`,
    kit,
    read: (path) => readFileSync(join(repo.root, path), 'utf8'),
  };
}
