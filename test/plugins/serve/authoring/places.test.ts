import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prompt, skill } from '../../../compile/rules/artifact-text.js';
import { codes, other, SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

describe('places', () => {
  it('a link that leads out of its folder is not written through', async () => {
    const world = await editedWorkspace(SOURCES);
    await world.write({ 'shared/answer.yaml': prompt('answer') });
    await rename(join(world.directory, 'skills/answer.yaml'), join(world.directory, 'unused'));
    await symlink(join(world.directory, 'shared/answer.yaml'), join(world.directory, 'skills/answer.yaml'));

    expect((await world.ask('GET', '/api/skills/answer')).statusCode).toBe(200);
    const answer = await world.ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` });
    expect([answer.statusCode, codes(answer.json())]).toEqual([422, ['edit.outside']]);
    expect(await world.read('shared/answer.yaml')).toBe(prompt('answer'));
  });

  it('a folder that is a link out of the workspace takes no file', async () => {
    const outside = await editedWorkspace({});
    const world = await editedWorkspace({ 'topologies/t.yaml': other('t') });
    await mkdir(join(outside.directory, 'elsewhere'));
    await symlink(join(outside.directory, 'elsewhere'), join(world.directory, 'skills'));

    const answer = await world.ask('POST', '/api/skills', { yaml: prompt('fresh') });
    expect([answer.statusCode, codes(answer.json())]).toEqual([422, ['edit.outside']]);
    expect(Object.keys(await outside.tree())).toEqual(['workspace.yaml']);
  });

  it('a link inside its folder stays a link, and what it leads to is changed', async () => {
    const world = await editedWorkspace({ 'topologies/t.yaml': other('t'), 'skills/sub/deep/real.yaml': '' });
    await writeFile(join(world.directory, 'skills/sub/deep/real.yaml'), prompt('answer'));
    await rename(join(world.directory, 'skills/sub/deep/real.yaml'), join(world.directory, 'skills/.real'));
    await symlink('.real', join(world.directory, 'skills/answer.yaml'));

    const yaml = `# x\n${prompt('answer')}`;
    expect((await world.ask('PUT', '/api/skills/answer', { yaml })).statusCode).toBe(200);
    expect(await world.read('skills/.real')).toBe(yaml);
  });

  it('a file with the name of the new artifact and another content is not replaced', async () => {
    const { ask, read } = await editedWorkspace({ ...SOURCES, 'skills/fresh.yaml': prompt('different') });
    const answer = await ask('POST', '/api/skills', { yaml: prompt('fresh') });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'edit-exists']);
    expect(await read('skills/fresh.yaml')).toBe(prompt('different'));
  });

  it('a folder that is not there yet is made', async () => {
    const { ask, read } = await editedWorkspace({ 'topologies/t.yaml': other('t') });
    expect(
      (await ask('POST', '/api/skills', { yaml: skill('fresh', '{ type: llm_prompt, prompt: Hi. }') })).statusCode,
    ).toBe(200);
    expect(await read('skills/fresh.yaml')).toContain('id: fresh');
  });
});

describe('reload', () => {
  it.each(['/reload', '/api/reload'])(
    '%s takes over what was edited by hand, and says what is wrong with it',
    async (url) => {
      const { ask, write, served } = await editedWorkspace(SOURCES);
      await write({ 'topologies/hand.yaml': other('hand') });
      expect((await ask('POST', url)).json()).toMatchObject({
        valid: true,
        topologies: ['hand@1.0.0', 'main@1.0.0'],
        reloaded: true,
      });
      await write({ 'topologies/hand.yaml': 'a: [' });
      const answer = await ask('POST', url);
      expect([answer.statusCode, answer.json().valid, codes(answer.json())]).toEqual([
        200,
        false,
        ['workspace.yaml-parse'],
      ]);
      expect(answer.json().errors).toMatchObject([{ path: 'topologies/hand.yaml', line: 1 }]);
      await write({ 'topologies/hand.yaml': other('hand').replace('role: root', 'role: rot') });
      expect((await ask('POST', url)).json().errors).toMatchObject([
        { path: 'topologies/hand.yaml', pointer: '/agents/root/role', line: expect.any(Number) },
      ]);
      expect(served()).toEqual(['hand@1.0.0', 'main@1.0.0']);
    },
  );

  it('a change that the server could not take over is made all the same, and says so', async () => {
    const { ask, read } = await editedWorkspace(SOURCES, {
      reload: async () => {
        throw new Error('draining');
      },
    });
    expect((await ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` })).json()).toMatchObject({
      valid: true,
      written: true,
      reloaded: false,
    });
    expect(await read('skills/answer.yaml')).toMatch(/^# x/);
  });
});
