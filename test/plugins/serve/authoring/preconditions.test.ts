import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileEdits, nodeEditCalls } from '../../../../src/system/file-edits.js';
import { nodeFiles } from '../../../../src/system/files.js';
import { prompt } from '../../../compile/rules/artifact-text.js';
import { deps } from '../../../support/compile.js';
import { MAIN, other, SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';
import { as } from '../../../support/http/serve-group.js';

describe('preconditions', () => {
  it.each(['"0000"', 'W/"x"', '"a", "b"'])(
    'If-Match %s names another content: 412, and nothing is written',
    async (ifMatch) => {
      const { ask, tree } = await editedWorkspace(SOURCES);
      const before = await tree();
      for (const [method, body] of [
        ['PUT', { yaml: MAIN }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await ask(method, '/api/topologies/main', body, { 'if-match': ifMatch });
        expect([answer.statusCode, answer.json().code]).toEqual([412, 'edit-stale']);
      }
      expect(await tree()).toEqual(before);
    },
  );

  it('If-Match with the tag, one of several tags, or a star lets the change through', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const etag = String((await ask('GET', '/api/topologies/main')).headers.etag);
    const tags = [etag, `"x", ${etag}`, '*'];
    for (const tag of tags)
      expect((await ask('PUT', '/api/topologies/main', { yaml: MAIN }, { 'if-match': tag })).statusCode).toBe(200);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') }, { 'if-match': '*' })).statusCode).toBe(412);
  });

  it('If-None-Match: * makes and never replaces', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const only = { 'if-none-match': '*' };
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new') }, only)).statusCode).toBe(200);
    expect((await ask('PUT', '/api/topologies/new', { yaml: other('new', '2.0.0') }, only)).statusCode).toBe(412);
    expect(await read('topologies/new.yaml')).toBe(other('new'));
  });

  it('of many changes at once with one tag exactly one wins', async () => {
    const { ask, read, server } = await editedWorkspace(SOURCES);
    const etag = String((await ask('GET', '/api/topologies/main')).headers.etag);
    const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/api/topologies/main`;
    const texts = Array.from({ length: 8 }, (_, at) => `# ${at}\n${MAIN}`);
    const headers = { ...as('admin'), 'content-type': 'application/json', 'if-match': etag };
    const answers = await Promise.all(
      texts.map((yaml) => fetch(url, { method: 'PUT', headers, body: JSON.stringify({ yaml }) })),
    );

    const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    expect(await read('topologies/main.yaml')).toBe(texts[won[0] ?? -1]);
  });

  it('a file that is edited by hand while a change of it is judged stays as the hand left it', async () => {
    let isArmed = false;
    const byHand = `# by hand\n${prompt('answer')}`;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      list: async (path) => {
        if (isArmed && path.endsWith('/topologies')) await writeFile(join(path, '../skills/answer.yaml'), byHand);
        return nodeFiles.list(path);
      },
    };
    const { ask, read } = await editedWorkspace(SOURCES, { compile: { ...deps(), files } });
    isArmed = true;
    const answer = await ask('PUT', '/api/skills/answer', { yaml: `# over HTTP\n${prompt('answer')}` });
    expect([answer.statusCode, answer.json().code]).toEqual([412, 'edit-stale']);
    expect(await read('skills/answer.yaml')).toBe(byHand);
  });

  it('a disk that takes no write is a 503 that says so, and nothing is changed', async () => {
    const refuse = async () => {
      throw Object.assign(new Error('read-only'), { code: 'EROFS' });
    };
    const { ask, tree } = await editedWorkspace(SOURCES, {
      edits: createFileEdits({ ...nodeEditCalls, write: refuse, remove: refuse }),
    });
    const before = await tree();
    const put = await ask('PUT', '/api/skills/answer', { yaml: `# x\n${prompt('answer')}` });
    const gone = await ask('DELETE', '/api/topologies/main');
    expect([put.statusCode, put.json().code, gone.statusCode]).toEqual([503, 'edit-failed', 503]);
    expect(put.json().detail).toBe('answer.yaml cannot be written: the file system is read-only');
    expect(await tree()).toEqual(before);
  });

  it('of many creations at once exactly one wins', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => ask('POST', '/api/skills', { yaml: `# ${at}\n${prompt('fresh')}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});
