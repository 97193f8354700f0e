import { expect, it } from 'vitest';
import { offeredOf } from '../../../src/app/info/offered.js';
import { compileSources } from '../../support/compile.js';

const doc = (kind: string, rest: object): string => JSON.stringify({ apiVersion: 'kit/v1', kind, ...rest });
const provenance = { authored_by: 'human', version: '1.0.0' };
const agent = (skills: readonly string[], more: object = {}) => ({
  id: 'boss',
  role: 'root',
  model: { provider: 'mock', name: 'm' },
  skills,
  ...more,
});
const topology = (name: string, root: object, version = '1.0.0', more: object = {}): string =>
  doc('Topology', { metadata: { name, version }, agents: { root }, ...more });
const skill = (id: string, implementation: object, category = 'capability'): string =>
  doc('Skill', { metadata: { id, name: id, description: `The skill ${id}.` }, category, implementation, provenance });
const command = (id: string, effects?: string) => ({
  id,
  description: id,
  argv: ['true'],
  output: { parse: 'text' },
  ...(effects === undefined ? {} : { effects }),
});

const files = (memory: boolean, topologies: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'workspace.yaml': doc('Workspace', {
    metadata: { id: 'w', name: 'W' },
    memory: { enabled: memory },
    command_packs: [
      {
        id: 'p',
        commands: [command('look', 'read'), command('wipe', 'destructive'), command('any')],
      },
    ],
  }),
  'skills/look.yaml': skill('look', { type: 'command', pack: 'p', command: 'look' }),
  'skills/wipe.yaml': skill('wipe', { type: 'command', pack: 'p', command: 'wipe' }),
  'skills/any.yaml': skill('any', { type: 'command', pack: 'p', command: 'any' }),
  'skills/ask.yaml': skill('ask', { type: 'agent', topology: 'wiping' }),
  'skills/far.yaml': skill('far', { type: 'agent', topology: 'looking', effects: 'write' }),
  'skills/both.yaml': skill('both', { type: 'composed', composes: ['look', 'any'], strategy: 'sequential' }),
  ...topologies,
});

async function offered(memory: boolean, topologies: Readonly<Record<string, string>>) {
  const result = await compileSources(files(memory, topologies));
  const { workspace, diagnostics } = result;
  if (workspace === null) throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  return offeredOf(workspace);
}

const ALL = {
  'topologies/plain.yaml': topology('plain', agent([])),
  'topologies/looking.yaml': topology('looking', agent(['look'])),
  'topologies/writing.yaml': topology('writing', agent(['any'])),
  'topologies/wiping.yaml': topology('wiping', agent(['look', 'wipe'])),
  'topologies/asking.yaml': topology('asking', agent(['ask'])),
  'topologies/farther.yaml': topology('farther', agent(['far'])),
  'topologies/both.yaml': topology('both', agent(['both'])),
  'topologies/below.yaml': topology(
    'below',
    agent([], { children: [{ ...agent(['wipe']), id: 'child', role: 'worker' }] }),
  ),
};

it('says of a topology the gravest that its agents, and the topologies they ask, can do', async () => {
  const { topologies } = await offered(false, ALL);

  expect(Object.fromEntries(topologies.map(({ name, effects }) => [name, effects]))).toEqual({
    asking: 'destructive',
    below: 'destructive',
    both: 'write',
    farther: 'read',
    looking: 'read',
    plain: 'none',
    wiping: 'destructive',
    writing: 'write',
  });
});

it('counts what a run remembers as writing', async () => {
  const { topologies } = await offered(true, ALL);

  expect(topologies.find(({ name }) => name === 'plain')?.effects).toBe('write');
});

it('offers the highest version of each name alone, by name', async () => {
  const { topologies, id, name } = await offered(false, {
    ...ALL,
    'topologies/old.yaml': topology('b', agent([]), '1.2.0', { input_schema: { type: 'string' } }),
    'topologies/new.yaml': topology('b', agent([]), '1.10.0'),
  });

  expect({ id, name }).toEqual({ id: 'w', name: 'W' });
  expect(topologies.filter((one) => one.name === 'b')).toMatchObject([{ version: '1.10.0', inputSchema: null }]);
  expect(topologies.map((one) => one.name)).toEqual(topologies.map((one) => one.name).toSorted());
});
