import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const topology = (name: string, role = 'root'): string => `apiVersion: kit/v1
kind: Topology
metadata: { name: ${name}, version: 1.0.0, description: The topology ${name}. }
agents:
  root: { id: talker, role: ${role}, model: { provider: mock, name: m1 }, prompt: { system: You talk. } }
`;

const urlIn = (text: string): string => /listening on (\S+)/.exec(text)?.[1] ?? '';

describe('kit dev', () => {
  it('takes sound files over at each save, and goes on with the last ones while there is an error', async () => {
    const dir = world.files('saved', talk());
    const kit = world.start(['dev', dir, '--port', '0', '--no-browser']);
    await kit.sees(/Ctrl-C ends it/);
    const url = urlIn(kit.stderr());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    writeFileSync(join(dir, 'topologies/second.yaml'), topology('second'));
    await kit.sees(/topologies\/second\.yaml: loaded/);
    expect(await (await fetch(`${url}/topologies`)).json()).toContain('second');

    writeFileSync(join(dir, 'topologies/second.yaml'), topology('second', 'rooot'));
    await kit.sees(/topologies\/second\.yaml: not loaded, the server keeps the last valid files/);
    expect(kit.stderr()).toContain('error[');
    expect(await (await fetch(`${url}/topologies`)).json()).toContain('second');

    rmSync(join(dir, 'topologies/second.yaml'));
    await kit.sees(/topologies\/second\.yaml: loaded[\s\S]*topologies\/second\.yaml: loaded/);
    expect(await (await fetch(`${url}/topologies`)).json()).not.toContain('second');

    kit.child.kill('SIGTERM');
    expect(await kit.ended).toMatchObject({ code: 0 });
  });

  it('outlives a moment without workspace.yaml, as some editors and git leave it', async () => {
    const dir = world.files('replaced', talk());
    const kit = world.start(['dev', dir, '--port', '0', '--no-browser']);
    await kit.sees(/Ctrl-C ends it/);
    const place = join(dir, 'workspace.yaml');
    const text = readFileSync(place, 'utf8');

    rmSync(place);
    await kit.sees(/workspace\.yaml: not loaded, the server keeps the last valid files/);
    expect(kit.stderr()).toContain('error[KIT_WORKSPACE_NOT_FOUND]: ');
    writeFileSync(place, text);
    await kit.sees(/workspace\.yaml: loaded/);
    kit.child.kill('SIGTERM');
    expect(await kit.ended).toMatchObject({ code: 0 });
  });

  it('starts as soon as the files have no error', async () => {
    const dir = world.files('broken', { ...talk(), 'topologies/second.yaml': topology('second', 'rooot') });
    const people = world.start(['dev', dir, '--port', '0', '--no-browser']);
    await people.sees(/the server starts when the files have no error/);
    expect(people.stderr()).not.toContain('listening');

    writeFileSync(join(dir, 'topologies/second.yaml'), topology('second'));
    await people.sees(/listening on/);
    people.child.kill('SIGINT');
    expect(await people.ended).toMatchObject({ code: 0 });
  });

  it('ends while it waits for files without an error', async () => {
    const dir = world.files('waiting', { ...talk(), 'topologies/second.yaml': topology('second', 'rooot') });
    const kit = world.start(['dev', dir, '--port', '0', '--no-browser']);
    await kit.sees(/the server starts when the files have no error/);
    kit.child.kill('SIGTERM');
    expect(await kit.ended).toMatchObject({ code: 0 });
  });

  it('tells programs a value a line', async () => {
    const dir = world.files('programs', talk());
    const kit = world.start(['dev', dir, '--port', '0', '--no-browser', '--json']);
    await kit.sees(/"type":"listening"/);
    writeFileSync(join(dir, 'topologies/second.yaml'), topology('second'));
    await kit.sees(/\{"type":"saved","paths":\["topologies\/second\.yaml"\],"valid":true\}/);
    kit.child.kill('SIGTERM');
    const { code, stdout } = await kit.ended;
    expect({ code, last: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') }).toEqual({
      code: 0,
      last: { type: 'result', saves: 1 },
    });
  });
});
