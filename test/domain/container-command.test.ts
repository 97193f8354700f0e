import { expect, it } from 'vitest';
import { type ContainerSpec, containerCommand } from '../../src/domain/container-command.js';

const SPEC: ContainerSpec = {
  runtime: 'docker',
  image: 'node:24',
  name: 'kit-1',
  owner: null,
  step: null,
  user: null,
  isRoot: false,
  mounts: [],
  scratch: [],
  workdir: '/workspace',
  limits: { cpus: null, memory: null, pids: null },
  variables: {},
  hostEnv: {},
  argv: ['node', 'server.mjs'],
};
const optionsOf = (over: Partial<ContainerSpec>): readonly string[] => {
  const command = containerCommand({ ...SPEC, ...over });
  if ('problem' in command) throw new Error(command.problem);
  return command.argv;
};
const named = (options: readonly string[], ...names: readonly string[]): readonly string[] =>
  options.filter((option) => names.some((name) => option.startsWith(`--${name}`)));

it.each([
  { runtime: 'docker', uid: 1000, option: '--user=1000:1001' },
  { runtime: 'docker', uid: 0, option: '--user=0:1001' },
  { runtime: 'podman', uid: 1000, option: '--userns=keep-id' },
  // "keep-id is only supported in rootless mode": as root the number is the same inside.
  { runtime: 'podman', uid: 0, option: '--user=0:1001' },
] as const)('files of a program in $runtime belong to the person $uid: $option', ({ runtime, uid, option }) => {
  expect(named(optionsOf({ runtime, user: { uid, gid: 1001 }, isRoot: uid === 0 }), 'user')).toEqual([option]);
});

it('has a home and a /tmp of its own, and a mount in the place of one', () => {
  const mounts = [{ source: '/data', target: '/tmp', isWritable: true }];

  expect(named(optionsOf({ scratch: ['/cache'] }), 'tmpfs')).toEqual([
    '--tmpfs=/home/kit:mode=1777',
    '--tmpfs=/cache:mode=1777',
    '--tmpfs=/tmp:mode=1777',
  ]);
  expect(named(optionsOf({ mounts }), 'tmpfs')).toEqual(['--tmpfs=/home/kit:mode=1777']);
});

it('gives the number of another person where kit is root', () => {
  const user = { uid: 65_534, gid: 65_534 };

  expect(named(optionsOf({ runtime: 'podman', user, isRoot: true }), 'user')).toEqual(['--user=65534:65534']);
});

it('has no capability, nothing that it can write, and the label of who started it', () => {
  const options = optionsOf({ owner: 'somebody' });

  expect(named(options, 'cap', 'read-only', 'label', 'security-opt')).toEqual([
    '--label=kit.owner=somebody',
    '--security-opt=no-new-privileges',
    '--cap-drop=ALL',
    '--read-only',
  ]);
});

it('names nobody where the image says who the program is', () => {
  expect(named(optionsOf({}), 'user')).toEqual([]);
});

it('bounds what is bounded, and nothing else', () => {
  const bounds = ['cpus', 'memory', 'pids-limit'];

  expect(named(optionsOf({}), ...bounds)).toEqual([]);
  expect(named(optionsOf({ limits: { cpus: '2', memory: '512m', pids: 64 } }), ...bounds)).toEqual([
    '--cpus=2',
    '--memory=512m',
    '--pids-limit=64',
  ]);
});

it.each([
  { what: 'an image that is an option', over: { image: '--privileged' }, problem: 'an option of the runtime' },
  {
    what: 'a path with a comma',
    over: { mounts: [{ source: '/a,b', target: '/w', isWritable: false }] },
    problem: 'the path /a,b has a comma',
  },
])('refuses $what', ({ over, problem }) => {
  expect(containerCommand({ ...SPEC, ...over })).toMatchObject({ problem: expect.stringContaining(problem) });
});
