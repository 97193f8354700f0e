import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SOURCES } from '../../../support/http/edited-sources.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

const SKILL_MD = '---\nname: Forms\ndescription: Fills in forms on paper.\n---\nFill in every field.\n';

async function catalogue(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kit-catalogue-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const NOTE = `apiVersion: kit/v1
kind: Skill
metadata: { id: note, name: Note, description: Notes something down. }
category: capability
implementation: { type: llm_prompt, prompt: Note. }
provenance: { authored_by: human, version: 1.0.0 }
`;
const NOTES = {
  'skills/notes/bundle.yaml': 'id: notes\nname: Notes\nskills: [note]\n',
  'skills/notes/skills/note.yaml': NOTE,
};

describe('the catalogue over HTTP', () => {
  it('is listed, and searched', async () => {
    const { ask } = await editedWorkspace(SOURCES);

    const all = (await ask('GET', '/api/skill-catalogue')).json();
    expect(all).toMatchObject({ source: 'bundled', broken: [] });
    expect(all.bundles.length).toBeGreaterThanOrEqual(8);
    const found = (await ask('GET', '/api/skill-catalogue?q=read%20file')).json();
    expect(found.skills.map(({ id }: { id: string }) => id)).toContain('read-file');
    expect(found.skills.length).toBeLessThan(all.skills.length);
  });

  it('that cannot be reached is 502', async () => {
    const { ask } = await editedWorkspace(SOURCES, {}, {}, '/nowhere/at/all');

    const answer = await ask('GET', '/api/skill-catalogue');
    expect(answer).toMatchObject({ statusCode: 502 });
    expect(answer.json()).toMatchObject({ code: 'catalogue-unreachable' });
  });
});

describe('adding over HTTP', () => {
  it('shows first, then writes what was shown, and the server takes it over', async () => {
    const { ask, tree, read } = await editedWorkspace(SOURCES);
    const before = await tree();

    const shown = (await ask('POST', '/api/skills/add', { ref: 'filesystem', dry_run: true })).json();
    expect(shown).toMatchObject({
      server_state: 'new',
      server_entry: { id: 'filesystem' },
      file_states: { 'skills/read-file.yaml': 'new' },
      applied: null,
    });
    expect(await tree()).toEqual(before);

    const { digest } = shown as { readonly digest: string };
    const added = (await ask('POST', '/api/skills/add', { ref: 'filesystem', digest })).json();
    expect(added).toMatchObject({ digest, applied: { server: true, reloaded: true } });
    expect(await read('skills/read-file.yaml')).toBe(added.skill_files['skills/read-file.yaml']);
    expect((await ask('GET', '/api/skills/read-file')).json()).toMatchObject({ implementation_type: 'mcp_tool' });
    const again = (await ask('POST', '/api/skills/add', { ref: 'filesystem', digest })).json();
    expect(again).toMatchObject({ server_state: 'same', applied: { skill_files: [], server: false } });
  });

  it('without a digest is refused, and with that of another catalogue it is a conflict', async () => {
    const folder = await catalogue(NOTES);
    const { ask, tree } = await editedWorkspace(SOURCES, {}, {}, folder);
    const before = await tree();
    expect(await ask('POST', '/api/skills/add', { ref: 'notes' })).toMatchObject({ statusCode: 422 });

    const { digest } = (await ask('POST', '/api/skills/add', { ref: 'notes', dry_run: true })).json();
    await writeFile(join(folder, 'skills/notes/skills/note.yaml'), NOTE.replace('prompt: Note.', 'prompt: Evil.'));
    const refused = await ask('POST', '/api/skills/add', { ref: 'notes', digest });

    expect(refused).toMatchObject({ statusCode: 409 });
    expect(refused.json()).toMatchObject({ code: 'catalogue-changed' });
    expect(await tree()).toEqual(before);
  });

  it.each(['../notes', './x.yaml', '/etc/passwd', 'http://127.0.0.1/x.yaml', 'Notes', ''])(
    'takes no file and no address: %s',
    async (ref) => {
      const { ask } = await editedWorkspace(SOURCES);
      expect(await ask('POST', '/api/skills/add', { ref, dry_run: true })).toMatchObject({ statusCode: 422 });
    },
  );
});

describe('importing over HTTP', () => {
  it('shows and writes a skill', async () => {
    const { ask, read, tree } = await editedWorkspace(SOURCES);
    const before = await tree();

    const shown = (await ask('POST', '/api/skills/import', { text: SKILL_MD, dry_run: true })).json();
    expect(shown).toMatchObject({ id: 'forms', path: 'skills/forms.yaml', written: false });
    expect(await tree()).toEqual(before);
    const written = (await ask('POST', '/api/skills/import', { text: SKILL_MD })).json();
    expect(written).toEqual({ ...shown, written: true });
    expect(await read('skills/forms.yaml')).toContain('registry: upload');
  });

  it('refuses a text that is not a SKILL.md with its problem', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const refused = await ask('POST', '/api/skills/import', { text: 'Fill in.' });

    expect(refused).toMatchObject({ statusCode: 422 });
    expect(refused.json()).toMatchObject({
      code: 'skill-refused',
      valid: false,
      errors: [{ code: 'import.no-front-matter' }],
    });
  });
});

describe('GET /api/skills/check', () => {
  it('is the check, and no skill of that name', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    expect((await ask('GET', '/api/skills/check')).json()).toEqual([]);
  });
});
