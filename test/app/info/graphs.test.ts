import { expect, it } from 'vitest';
import { graphsOf } from '../../../src/app/info/graphs.js';
import { graphLines } from '../../../src/text/graph/text.js';
import { compileSources } from '../../support/compile.js';

const doc = (kind: string, rest: object): string => JSON.stringify({ apiVersion: 'kit/v1', kind, ...rest });
const model = { provider: 'mock', name: 'm' };
const topology = (name: string, version: string, children: readonly object[] = []): string =>
  doc('Topology', {
    metadata: { name, version, description: `The topology ${name}.` },
    agents: { root: { id: 'boss', role: 'root', model, children } },
  });
const trigger = (id: string, target: string): string =>
  doc('Trigger', {
    metadata: { id, name: id },
    type: 'cron',
    targets: [target],
    config: { expression: '0 3 * * *' },
  });

const FILES = {
  'workspace.yaml': doc('Workspace', { metadata: { id: 'w', name: 'W' } }),
  'topologies/b.yaml': topology('b', '1.0.0', [{ id: 'tests', role: 'worker', model }]),
  'topologies/a1.yaml': topology('a', '1.0.0'),
  'topologies/a2.yaml': topology('a', '2.0.0'),
  'triggers/nightly.yaml': trigger('nightly', 'b'),
  'triggers/old.yaml': trigger('old', 'a@1.0.0'),
};

async function lines(name: string | null): Promise<readonly (readonly string[])[]> {
  const { workspace, diagnostics } = await compileSources(FILES);
  if (workspace === null) throw new Error(JSON.stringify(diagnostics));
  return graphsOf(workspace, name).map(graphLines);
}

it('the graphs of a workspace are those of all topologies, each with what starts it', async () => {
  expect(await lines(null)).toEqual([
    ['a 1.0.0: The topology a.', 'started by old (cron)', 'boss (root, mock/m)'],
    ['a 2.0.0: The topology a.', 'boss (root, mock/m)'],
    ['b 1.0.0: The topology b.', 'started by nightly (cron)', 'boss (root, mock/m)', '└─ tests (mock/m)'],
  ]);
});

it('one by its bare name is its highest version, and one that is not there is named', async () => {
  expect(await lines('a')).toEqual([['a 2.0.0: The topology a.', 'boss (root, mock/m)']]);
  await expect(lines('c')).rejects.toMatchObject({ code: 'KIT_TOPOLOGY_UNKNOWN', data: { topology: 'c' } });
});
