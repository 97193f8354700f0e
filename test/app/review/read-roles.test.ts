import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRoleFiles } from '../../../src/app/review/read-roles.js';
import { nodeFiles } from '../../../src/system/files.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kit-roles-'));
  await writeFile(join(root, 'workspace.yaml'), 'this: is: no yaml at all\n');
  await mkdir(join(root, 'roles'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const registry = (body: string): string =>
  `apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People }\n${body}`;
const read = (environment: Readonly<Record<string, string>> = {}) =>
  readRoleFiles(root, { files: nodeFiles, environment });
const problem = async (reading: Promise<unknown>) => {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error);
};

test('roles of all files are one registry, read while workspace.yaml and other artifacts are broken', async () => {
  await mkdir(join(root, 'skills'));
  await writeFile(join(root, 'skills', 'broken.yaml'), '][');
  await writeFile(
    join(root, 'roles', 'a.yaml'),
    registry('roles: [{ id: qa, members: [dana], scopes: [code:review] }]\n'),
  );
  await writeFile(
    join(root, 'roles', 'b.yaml'),
    registry(
      'roles: [{ id: ops, members: ["${LEAD}"], scopes: [release:sign] }]\nidentities: [{ id: dana, aliases: [d, dana@example.org] }]\n',
    ),
  );
  const roles = await read({ LEAD: 'omar' });
  expect(roles).toEqual({
    roles: [
      { id: 'qa', members: ['dana'], scopes: ['code:review'] },
      { id: 'ops', members: ['omar'], scopes: ['release:sign'] },
    ],
    identities: [{ id: 'dana', aliases: ['d', 'dana@example.org'] }],
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('each call reads the files again, and the digest follows what they say', async () => {
  const file = join(root, 'roles', 'a.yaml');
  await writeFile(file, registry('roles: [{ id: qa, members: [dana], scopes: [code:review] }]\n'));
  const before = await read();
  await writeFile(
    file,
    registry('# a comment changes nothing\nroles: [{ id: qa, members: [dana], scopes: [code:review] }]\n'),
  );
  expect((await read()).digest).toBe(before.digest);
  await writeFile(file, registry('roles: [{ id: qa, members: [], scopes: [code:review] }]\n'));
  const after = await read();
  expect(after.roles[0]?.members).toEqual([]);
  expect(after.digest).not.toBe(before.digest);
});

test('a workspace without role files has an empty registry', async () => {
  expect(await read()).toMatchObject({ roles: [], identities: [] });
});

test.each([
  ['no YAML', '][', /KIT_WORKSPACE_INVALID: nobody can decide: the role registry has an error: roles\/a\.yaml: /],
  ['an unknown key', registry('roles: [{ id: qa, members: [], scopes: [a:b], boss: x }]\n'), /unknown/],
  [
    'a role that is defined twice',
    registry('roles: [{ id: qa, members: [], scopes: [a:b] }, { id: qa, members: [x], scopes: [a:b] }]\n'),
    /`qa` is defined twice/,
  ],
  [
    'a name of two people',
    registry(
      'roles: [{ id: qa, members: [], scopes: [a:b] }]\nidentities: [{ id: x, aliases: [z] }, { id: y, aliases: [z] }]\n',
    ),
    /`z` is defined twice/,
  ],
])('nobody decides with a role file that has %s', async (_what, text, message) => {
  await writeFile(join(root, 'roles', 'a.yaml'), text);
  expect(await problem(read())).toMatch(message);
});

test('a role file that leads out of the workspace does not count', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'kit-outside-'));
  await writeFile(join(outside, 'a.yaml'), registry('roles: [{ id: qa, members: [mallory], scopes: [a:b] }]\n'));
  await symlink(join(outside, 'a.yaml'), join(root, 'roles', 'a.yaml'));
  expect((await read()).roles).toEqual([]);
  await rm(outside, { recursive: true });
});

test('a directory without workspace.yaml is not a workspace', async () => {
  await rm(join(root, 'workspace.yaml'));
  expect(await problem(read())).toMatch(/^KIT_WORKSPACE_NOT_FOUND/);
});
