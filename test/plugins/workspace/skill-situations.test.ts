import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type KitHome, type KitResult, makeHome, runKitHere } from '../../support/kit-process.js';

type Files = Readonly<Record<string, string>>;

const skill = (id: string, more = ''): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: ${id}, name: ${id}, description: Answers about ${id}. }
category: capability
implementation: { type: llm_prompt, prompt: Answer. }
provenance: { authored_by: human, version: 1.0.0${more} }
`;
const tool = (id: string, server = 'notes', more = ''): string =>
  skill(id, more).replace('{ type: llm_prompt, prompt: Answer. }', `{ type: mcp_tool, server: ${server}, tool: read }`);
const bundle = (id: string, skills: readonly string[], more = ''): string =>
  `id: ${id}\nname: ${id}\ndescription: About ${id}.\nverification: tried\nskills: [${skills.join(', ')}]\n${more}`;

const SERVER = 'server: { id: notes, transport: stdio, command: [notes, --read], effects: { read: read } }\n';
const CREDENTIAL =
  'server: { id: cloud, transport: http, endpoint: "https://c.example/mcp", credentials_ref: cloud }\ncredentials: { cloud: { source: env, config: { env: CLOUD } } }\n';

const CATALOGUE: Files = {
  'skills/notes/bundle.yaml': bundle(
    'notes',
    ['read-note', 'ask-note'],
    `needs: [notes]\nnotes: [Be careful.]\n${SERVER}`,
  ),
  'skills/notes/skills/read-note.yaml': tool('read-note'),
  'skills/notes/skills/ask-note.yaml': skill('ask-note'),
  'skills/cloud/bundle.yaml': bundle('cloud', ['call-cloud'], CREDENTIAL),
  'skills/cloud/skills/call-cloud.yaml': tool('call-cloud', 'cloud'),
  'skills/later/bundle.yaml': bundle('later', ['later-skill'], 'requires_runtime: ">=2.0.0"\n'),
  'skills/later/skills/later-skill.yaml': skill('later-skill'),
  'skills/late-skill/bundle.yaml': bundle('late-skill', ['needs-later']),
  'skills/late-skill/skills/needs-later.yaml': skill('needs-later', ', requires_runtime: ">=2.1.0"'),
  'skills/halved/bundle.yaml': bundle('halved', ['whole', 'broken']),
  'skills/halved/skills/whole.yaml': skill('whole'),
  'skills/halved/skills/broken.yaml': 'kind: [',
  'skills/escaping/bundle.yaml': bundle('escaping', ['../../../outside']),
  'skills/lying/bundle.yaml': bundle('lying', ['honest']),
  'skills/lying/skills/honest.yaml': skill('other'),
  'skills/bad-schema/bundle.yaml': bundle('bad-schema', ['no-prompt']),
  'skills/bad-schema/skills/no-prompt.yaml': skill('no-prompt').replace(', prompt: Answer.', ''),
  'skills/double/bundle.yaml': bundle('double', ['ask-note']),
  'skills/double/skills/ask-note.yaml': skill('ask-note'),
  'skills/taken/bundle.yaml': bundle('taken', ['check']),
  'skills/taken/skills/check.yaml': skill('check'),
};

const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }   # mine

# the end
`;
const WITH_SERVER = `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }   # mine
mcp_servers:
  # ours
  - { id: notes, transport: stdio, command: [other, program] }
# the end
`;
const ADDED_SERVER = `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }   # mine
mcp_servers:
  - id: notes
    transport: stdio
    command:
      - notes
      - --read
    effects:
      read: read

# the end
`;
const HELD = `apiVersion: kit/v1
kind: Archetype
metadata: { id: writer, name: Writer, description: Writes about things. }
role: worker
defaults:
  model: { provider: mock, name: m }
  skills: [ask-note]
`;
const TOPOLOGY = `apiVersion: kit/v1
kind: Topology
metadata: { name: main, version: 1.0.0 }
agents:
  root: { id: boss, role: root, model: { provider: mock, name: m }, prompt: { system: Answer. } }
`;
const SKILL_MD = `---
name: PDF Work
description: Fills in forms that are PDF files.
license: MIT
allowed-tools: Bash Read
metadata: { version: "1.2", author: somebody }
---
# How

Fill in {every} field: twice.
`;
const IMPORTED = `apiVersion: kit/v1
kind: Skill
metadata:
  id: pdf-work
  name: PDF Work
  description: Fills in forms that are PDF files.
category: capability
implementation:
  type: llm_prompt
  prompt: |
    # How

    Fill in {every} field: twice.
provenance:
  authored_by: imported_from_registry
  version: 1.2.0
  registry: pdf/SKILL.md
`;

interface Situation {
  readonly says: string;
  readonly argv: readonly string[];
  readonly workspace?: Files;
  /** Beside the catalogue of all rows, or instead of files of it. */
  readonly catalogue?: Files;
  /** Files beside the workspace. */
  readonly beside?: Files;
  /** Done between the workspace and the line. */
  readonly before?: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly text: readonly (string | RegExp)[];
  readonly not?: readonly string[];
  /** Files of the workspace afterwards; those that are not named are as they were. */
  readonly disk?: Files;
  readonly gone?: readonly string[];
}

const OWN: Files = { 'skills/ask-note.yaml': skill('ask-note') };

const SITUATIONS: readonly Situation[] = [
  {
    says: 'a bundle with its server, comments and layout kept',
    argv: ['add', 'notes', '--yes'],
    code: 0,
    text: [
      'skills/read-note.yaml: new',
      'workspace.yaml  mcp_servers.notes: added',
      'note: it needs notes on PATH',
      'note: Be careful.',
      'wrote skills/ask-note.yaml',
      'wrote workspace.yaml',
    ],
    disk: {
      'workspace.yaml': ADDED_SERVER,
      'skills/read-note.yaml': tool('read-note'),
      'skills/ask-note.yaml': skill('ask-note'),
    },
  },
  {
    says: 'the same bundle twice: nothing to write, and nobody is asked',
    before: [['add', 'notes', '--yes']],
    argv: ['add', 'notes'],
    code: 0,
    text: ['skills/read-note.yaml: unchanged', 'mcp_servers.notes: unchanged', 'nothing to write'],
    disk: {
      'workspace.yaml': ADDED_SERVER,
      'skills/read-note.yaml': tool('read-note'),
      'skills/ask-note.yaml': skill('ask-note'),
    },
  },
  {
    says: 'a dry run writes nothing',
    argv: ['add', 'notes', '--dry-run'],
    code: 0,
    text: ['skills/read-note.yaml: new', 'mcp_servers.notes: added'],
    not: ['wrote'],
  },
  {
    says: 'without a terminal and without --yes nothing is written',
    argv: ['add', 'notes'],
    code: 2,
    text: ['nothing was written: there is no terminal to ask on', '--yes'],
  },
  {
    says: 'a skill alone brings the server that it calls',
    argv: ['add', 'read-note', '--yes'],
    code: 0,
    text: ['mcp_servers.notes: added'],
    disk: { 'workspace.yaml': ADDED_SERVER, 'skills/read-note.yaml': tool('read-note') },
  },
  {
    says: 'a skill of the bundle that calls no server brings none',
    catalogue: { 'skills/double/bundle.yaml': '' },
    argv: ['add', 'ask-note', '--yes'],
    code: 0,
    text: ['wrote skills/ask-note.yaml'],
    not: ['mcp_servers'],
    disk: { 'skills/ask-note.yaml': skill('ask-note') },
  },
  {
    says: 'a skill that was changed here is shown as replaced, and kept by a dry run',
    workspace: {
      'skills/read-note.yaml': tool('read-note').replace('Answers', 'Mine'),
      'workspace.yaml': ADDED_SERVER,
    },
    argv: ['add', 'read-note', '--dry-run'],
    code: 0,
    text: ['skills/read-note.yaml: REPLACES what is there', 'mcp_servers.notes: unchanged'],
  },
  {
    says: '... and replaced where it was agreed to',
    workspace: {
      'skills/read-note.yaml': tool('read-note').replace('Answers', 'Mine'),
      'workspace.yaml': ADDED_SERVER,
    },
    argv: ['add', 'read-note', '--yes'],
    code: 0,
    text: ['REPLACES what is there', 'wrote skills/read-note.yaml'],
    not: ['wrote workspace.yaml'],
    disk: { 'skills/read-note.yaml': tool('read-note') },
  },
  {
    says: 'a skill that lies in a folder of its own stays there',
    workspace: { 'skills/mine/ask.yaml': skill('ask-note').replace('Answers', 'Mine') },
    catalogue: { 'skills/double/bundle.yaml': '' },
    argv: ['add', 'ask-note', '--yes'],
    code: 0,
    text: ['skills/mine/ask.yaml: REPLACES'],
    disk: { 'skills/mine/ask.yaml': skill('ask-note') },
    gone: ['skills/ask-note.yaml'],
  },
  {
    says: 'a server id that another command has is shown as replaced, with who else calls it',
    workspace: { 'workspace.yaml': WITH_SERVER, 'skills/mine.yaml': tool('mine') },
    argv: ['add', 'read-note', '--dry-run'],
    code: 0,
    text: ['mcp_servers.notes: REPLACES the one that is there', 'is called by mine too'],
  },
  {
    says: '... and replaced where it was agreed to, in its place',
    workspace: { 'workspace.yaml': WITH_SERVER },
    argv: ['add', 'read-note', '--yes'],
    code: 0,
    text: ['wrote workspace.yaml'],
    disk: {
      'workspace.yaml': WITH_SERVER.replace(
        '{ id: notes, transport: stdio, command: [other, program] }',
        '{ id: notes, transport: stdio, command: [ notes, --read ], effects: { read: read } }',
      ),
      'skills/read-note.yaml': tool('read-note'),
    },
  },
  {
    says: 'a credential that the server names comes with it',
    argv: ['add', 'cloud', '--yes'],
    code: 0,
    text: ['credentials.cloud: added'],
    disk: {
      'workspace.yaml': expect.stringMatching(/credentials:\n {2}cloud:\n {4}source: env/) as unknown as string,
      'skills/call-cloud.yaml': tool('call-cloud', 'cloud'),
    },
  },
  {
    says: 'a credential that is there already stays as it is',
    workspace: {
      'workspace.yaml': `${WORKSPACE}credentials:\n  cloud: { source: file, config: { path: ./token } } # mine\n`,
    },
    argv: ['add', 'cloud', '--yes'],
    code: 0,
    text: ['credentials.cloud: kept as it is', 'stays as it is'],
    disk: {
      'workspace.yaml': expect.stringContaining(
        'cloud: { source: file, config: { path: ./token } } # mine',
      ) as unknown as string,
      'skills/call-cloud.yaml': tool('call-cloud', 'cloud'),
    },
  },
  {
    says: 'a bundle for a later runtime is refused, naming both versions',
    argv: ['add', 'later', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'needs runtime 2.0.0', '1.256.0', 'kit upgrade'],
  },
  {
    says: 'a skill for a later runtime is refused, naming both versions',
    argv: ['add', 'needs-later', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', '2.1.0', '1.256.0'],
  },
  {
    says: 'a bundle with a broken skill is refused whole',
    argv: ['add', 'halved', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'halved', 'skills/halved/skills/broken.yaml'],
  },
  {
    says: '... and its whole skill is not offered either',
    argv: ['add', 'whole', '--yes'],
    code: 1,
    text: ['KIT_SKILL_UNKNOWN'],
  },
  {
    says: 'a bundle whose skill id is a path is refused',
    argv: ['add', 'escaping', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', '../../../outside is not an id of a skill'],
  },
  {
    says: 'a skill that calls itself otherwise is refused',
    argv: ['add', 'lying', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'calls itself other'],
  },
  {
    says: 'a skill that does not fit its schema is refused with its place',
    argv: ['add', 'bad-schema', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'skills/no-prompt.yaml'],
  },
  {
    says: 'a skill whose id is a path of the HTTP interface is refused',
    argv: ['add', 'taken', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'skills/check.yaml'],
  },
  {
    says: 'an id that stands in two bundles is refused, naming them',
    argv: ['add', 'ask-note', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'double, notes'],
  },
  {
    says: 'an unknown id names the likely one',
    argv: ['add', 'read-notes', '--yes'],
    code: 1,
    text: ['KIT_SKILL_UNKNOWN', 'Did you mean read-note?'],
  },
  {
    says: 'a file that is not there',
    argv: ['add', '../nowhere.yaml', '--yes'],
    code: 1,
    text: ['KIT_SKILL_UNKNOWN', 'there is no file ../nowhere.yaml'],
  },
  {
    says: 'a file that holds a skill goes where its id says, whatever its path',
    beside: { 'shared/anything.yaml': tool('shared-read', 'elsewhere') },
    argv: ['add', '../shared/anything.yaml', '--yes'],
    code: 0,
    text: ['the server elsewhere is not declared here', 'wrote skills/shared-read.yaml'],
    disk: { 'skills/shared-read.yaml': tool('shared-read', 'elsewhere') },
  },
  {
    says: 'a file whose id is a path is refused',
    beside: { 'evil.yaml': skill('x').replace('id: x', 'id: "../../evil"') },
    argv: ['add', '../evil.yaml', '--yes'],
    code: 1,
    text: ['KIT_SKILL_REFUSED', 'not a Skill with an id'],
  },
  {
    says: 'a directory that is not a catalogue',
    env: { KIT_SKILLS_CATALOGUE: './nowhere' },
    argv: ['add', 'notes', '--yes'],
    code: 1,
    text: ['KIT_CATALOGUE_UNREACHABLE', 'nowhere'],
  },
  {
    says: 'an address where nothing answers',
    env: { KIT_SKILLS_CATALOGUE: 'http://127.0.0.1:9/catalogue' },
    argv: ['list', '--available'],
    code: 1,
    text: ['KIT_CATALOGUE_UNREACHABLE', 'http://127.0.0.1:9/catalogue/'],
  },
  {
    says: 'a catalogue that changed between the dry run and the write',
    argv: ['add', 'notes', '--yes', '--digest', 'f'.repeat(64)],
    code: 1,
    text: ['KIT_CATALOGUE_CHANGED'],
  },
  {
    says: 'the list names who holds a skill, also while the workspace has errors',
    workspace: { ...OWN, 'archetypes/writer.yaml': HELD, 'topologies/bad.yaml': 'kind: Topology\n' },
    argv: ['list'],
    code: 0,
    text: [/ask-note {2}capability {2}llm_prompt {2}held by archetype writer/],
  },
  {
    says: 'errors that the workspace had before are not in the way',
    workspace: { 'topologies/bad.yaml': 'kind: Topology\n' },
    argv: ['add', 'notes', '--yes'],
    code: 0,
    text: ['wrote skills/read-note.yaml'],
    disk: {
      'workspace.yaml': ADDED_SERVER,
      'skills/read-note.yaml': tool('read-note'),
      'skills/ask-note.yaml': skill('ask-note'),
    },
  },
  {
    says: 'what can be added names broken bundles with the reason',
    argv: ['list', '--available'],
    code: 0,
    text: ['notes  notes: About notes.', 'verified: tried', 'read-note', 'broken: halved', 'broken: escaping'],
  },
  {
    says: 'a search whose every word has to occur',
    workspace: OWN,
    argv: ['search', 'note', 'read'],
    code: 0,
    text: ['read-note'],
    not: ['call-cloud', 'ask-note'],
  },
  {
    says: 'a search that finds nothing',
    argv: ['search', 'nothing-of-the-kind'],
    code: 0,
    text: ['nothing found'],
  },
  {
    says: 'the file of the workspace is shown before that of the catalogue',
    workspace: { 'skills/read-note.yaml': tool('read-note').replace('Answers', 'Mine') },
    argv: ['show', 'read-note'],
    code: 0,
    text: ['# workspace: skills/read-note.yaml', 'Mine about read-note.'],
  },
  {
    says: 'the file of the catalogue is shown where the workspace has none',
    argv: ['show', 'read-note'],
    code: 0,
    text: [/catalogue: skills\/notes\/skills\/read-note.yaml/, 'Answers about read-note.'],
  },
  {
    says: 'a skill that an archetype holds is not removed',
    workspace: { ...OWN, 'archetypes/writer.yaml': HELD },
    argv: ['remove', 'ask-note'],
    code: 1,
    text: ['KIT_SKILL_HELD', 'archetype writer'],
  },
  {
    says: 'a skill that an agent holds is not removed',
    workspace: {
      ...OWN,
      'topologies/main.yaml': TOPOLOGY.replace('role: root,', 'role: root, skills: [ask-note],'),
    },
    argv: ['remove', 'ask-note'],
    code: 1,
    text: ['KIT_SKILL_HELD', 'agent main/boss'],
  },
  {
    says: 'a skill that a binding names is not removed',
    workspace: {
      ...OWN,
      'workspace.yaml': `${WORKSPACE}governance: { decision_skills: [{ id: ask-note, trigger: post_output }] }\n`,
    },
    argv: ['remove', 'ask-note'],
    code: 1,
    text: ['KIT_SKILL_HELD', 'binding of the workspace'],
  },
  {
    says: 'a skill that nobody holds is removed, and its server stays',
    before: [['add', 'notes', '--yes']],
    argv: ['remove', 'read-note'],
    code: 0,
    text: ['removed skills/read-note.yaml'],
    disk: { 'workspace.yaml': ADDED_SERVER, 'skills/ask-note.yaml': skill('ask-note') },
    gone: ['skills/read-note.yaml'],
  },
  {
    says: 'a skill that is not there is not removed',
    workspace: OWN,
    argv: ['remove', 'ask-notes'],
    code: 1,
    text: ['KIT_SKILL_UNKNOWN', 'Did you mean ask-note?'],
  },
  {
    says: 'a SKILL.md becomes a skill, its documents a knowledge base, and its scripts are named',
    workspace: { 'topologies/main.yaml': TOPOLOGY },
    beside: {
      'pdf/SKILL.md': SKILL_MD,
      'pdf/references/forms.md': '# Forms\n',
      'pdf/scripts/fill.py': 'print(1)\n',
      'pdf/logo.png': 'x',
    },
    argv: ['import', '../pdf', '--yes'],
    code: 0,
    text: [
      'wrote skills/pdf-work.yaml',
      'wrote knowledge/pdf-work/references/forms.md',
      'wrote topologies/main.yaml',
      'left out: scripts/fill.py: a script, which kit does not run',
      'left out: logo.png: no text that can be searched',
      'left out: allowed-tools:',
      'left out: license:',
      'left out: metadata: author',
      'search-pdf-work',
    ],
    disk: {
      'skills/pdf-work.yaml': IMPORTED,
      'knowledge/pdf-work/references/forms.md': '# Forms\n',
      'topologies/main.yaml': `${TOPOLOGY}artifacts:\n  knowledge_bases:\n    - id: pdf-work\n      path: knowledge/pdf-work\n`,
    },
  },
  {
    says: 'a SKILL.md by itself, shown and not written',
    beside: { 'pdf/SKILL.md': SKILL_MD },
    argv: ['import', '../pdf/SKILL.md', '--dry-run'],
    code: 0,
    text: ['skills/pdf-work.yaml: new', 'Fill in {every} field: twice.'],
    not: ['wrote'],
  },
  ...(
    [
      ['no front matter', '# How\n', 'import.no-front-matter|no front matter'],
      ['front matter that is not YAML', '---\nname: [\n---\nx\n', 'not a YAML mapping'],
      ['no name', '---\ndescription: Of something.\n---\nx\n', 'has no `name`'],
      ['no description', '---\nname: x\n---\nx\n', 'has no `description`'],
      ['nothing below', '---\nname: x\ndescription: Of something.\n---\n\n', 'nothing stands below'],
      [
        'a name of which no id can be made',
        '---\nname: "../.."\ndescription: Of something.\n---\nx\n',
        'no id can be made',
      ],
      ['a description that is too short', '---\nname: x\ndescription: Short.\n---\nx\n', 'skills/x.yaml'],
    ] as const
  ).map(
    ([what, text, said]): Situation => ({
      says: `a SKILL.md with ${what} is refused`,
      beside: { 'bad/SKILL.md': text },
      argv: ['import', '../bad', '--yes'],
      code: 1,
      text: ['KIT_SKILL_REFUSED', new RegExp(said)],
    }),
  ),
  {
    says: 'a workspace without skills that call tools has nothing to check',
    workspace: OWN,
    argv: ['check'],
    code: 0,
    text: ['no skill of the workspace calls a tool'],
  },
  {
    says: 'a server that cannot be started fails the check of its skills',
    before: [['add', 'read-note', '--yes']],
    argv: ['check'],
    code: 1,
    text: [/FAILED {3}read-note {2}notes\/read: .*notes/],
    disk: { 'workspace.yaml': ADDED_SERVER, 'skills/read-note.yaml': tool('read-note') },
  },
];

let home: KitHome;
let base: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'kit-skill-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function diskOf(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  );
}

/** Without a PATH no program of this machine is found, and no model. */
const kit = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<KitResult> =>
  runKitHere(['skill', ...argv], {
    cwd: join(base, 'w'),
    env: { ...home.env, PATH: '', KIT_SKILLS_CATALOGUE: '../catalogue', ...env },
  });

describe('kit skill', () => {
  it.each(SITUATIONS)('$says', async (row) => {
    const files = { 'workspace.yaml': WORKSPACE, ...row.workspace };
    await write(join(base, 'w'), files);
    await write(join(base, 'catalogue'), { ...CATALOGUE, ...row.catalogue });
    await write(base, row.beside ?? {});
    for (const argv of row.before ?? []) await kit(argv);

    const { code, stdout, stderr } = await kit(row.argv, row.env);

    const said = stdout + stderr;
    expect({ code, said }).toMatchObject({ code: row.code });
    for (const text of row.text)
      expect(said).toEqual(typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text));
    for (const text of row.not ?? []) expect(said).not.toContain(text);
    const wanted = Object.entries({ ...files, ...row.disk }).filter(([path]) => row.gone?.includes(path) !== true);
    expect(await diskOf(join(base, 'w'))).toEqual(Object.fromEntries(wanted));
  });

  it('has at least thirty situations', () => {
    expect(SITUATIONS.length).toBeGreaterThanOrEqual(30);
  });
});

/** A catalogue at an address; `files` may change between two requests. */
async function serveCatalogue(
  files: Map<string, string>,
): Promise<{ readonly server: Server; readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const text = files.get((request.url ?? '').replace('/base/', ''));
    response.writeHead(text === undefined ? 404 : 200).end(text ?? 'no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, asked };
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

describe('a catalogue at an address', () => {
  it('is read once, kept for a day, read anew on request, and a skill of it can be added after it is gone', async () => {
    const files = new Map(Object.entries({ 'index.json': JSON.stringify({ bundles: ['notes'] }), ...CATALOGUE }));
    const { server, url, asked } = await serveCatalogue(files);
    const env = { KIT_SKILLS_CATALOGUE: url, XDG_CACHE_HOME: join(base, 'cache') };
    await write(join(base, 'w'), { 'workspace.yaml': WORKSPACE });

    const first = await kit(['list', '--available', '--json'], env);
    const requests = asked.length;
    const second = await kit(['list', '--available', '--json'], env);
    expect(first.lines().at(-1)).toMatchObject({ source: `${url}/`, bundles: [{ id: 'notes' }] });
    expect(second.lines()).toEqual(first.lines());
    expect({ requests, after: asked.length }).toEqual({ requests: 4, after: 4 });

    files.set('skills/notes/bundle.yaml', bundle('notes', ['ask-note']));
    const anew = await kit(['search', 'note', '--refresh', '--json'], env);
    expect(anew.lines().at(-1)).toMatchObject({ catalogue: [{ id: 'ask-note' }] });
    expect(asked.length).toBe(7);

    await stop(server);
    expect(await kit(['add', 'notes', '--yes'], env)).toMatchObject({ code: 0 });
    const gone = await kit(['list', '--available', '--refresh'], env);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('KIT_CATALOGUE_UNREACHABLE') });
    expect(await diskOf(join(base, 'w'))).toEqual({
      'workspace.yaml': WORKSPACE,
      'skills/ask-note.yaml': skill('ask-note'),
    });
  });

  it.each([
    ['no index', {}],
    ['an index that is not JSON', { 'index.json': '<html>' }],
    ['an index with a path in it', { 'index.json': '["../../etc"]' }],
    ['an index that is too long', { 'index.json': `["${'a'.repeat(2_000_000)}"]` }],
  ] as const)('with %s is refused', async (_what, files) => {
    const { server, url } = await serveCatalogue(new Map(Object.entries(files)));
    await write(join(base, 'w'), { 'workspace.yaml': WORKSPACE });

    const refused = await kit(['list', '--available'], {
      KIT_SKILLS_CATALOGUE: url,
      XDG_CACHE_HOME: join(base, 'cache'),
    });

    await stop(server);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('KIT_CATALOGUE_UNREACHABLE') });
  });
});
