import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gated } from './review/gated-workspace.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

type Files = Record<string, string>;

/** A sound workspace with one skill and one trigger beside the gated topology. */
const SOUND: Files = {
  ...gated(),
  'skills/find.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: find, name: Find, description: Finds things there. }
category: capability
implementation: { type: llm_prompt, prompt: Find it. }
provenance: { authored_by: human, version: 1.0.0 }
`,
};
const PLAIN = 'topologies/plain.yaml';
const RELEASE = 'topologies/release.yaml';
const FUNNEL = 'funnels/sign-off.yaml';
const ROLES = 'roles/people.yaml';
const SKILL = 'skills/find.yaml';
const WORKSPACE = 'workspace.yaml';

/** One mistake: in which file, what is replaced by what, and words of the first message. */
type Mistake = readonly [what: string, file: string, from: string | RegExp, to: string, says: RegExp];

const MISTAKES: readonly Mistake[] = [
  ['a quorum as a number', FUNNEL, 'quorum: all', 'quorum: 2', /write `quorum: \{ k-of: 2 \}`/],
  ['a version as a number', PLAIN, 'version: 1.0.0', 'version: 1.0', /`version: "1\.0\.0"`/],
  ['a kind that does not exist', ROLES, 'kind: RoleRegistry', 'kind: Role', /write `kind: RoleRegistry`/],
  ['a kind of another folder', SKILL, 'kind: Skill', 'kind: Funnel', /write `kind: Skill`, or move the file/],
  ['no kind', SKILL, 'kind: Skill\n', '', /write `kind: Skill`/],
  [
    'a provider with a letter missing',
    PLAIN,
    'provider: mock',
    'provider: moc',
    /unknown-provider[\s\S]*did you mean `mock`/,
  ],
  [
    'a provider of nobody',
    PLAIN,
    'provider: mock',
    'provider: company',
    /`kit new provider company --base-url URL` makes it/,
  ],
  [
    'a server of nobody',
    SKILL,
    'type: llm_prompt, prompt: Find it.',
    'type: mcp_tool, server: nowhere, tool: x',
    /unknown-server[\s\S]*kit new tool-server nowhere -- COMMAND/,
  ],
  ['a skill of nobody', PLAIN, 'role: root,', 'role: root, skills: [grep],', /`kit new skill grep` makes it/],
  ['a skill with a letter wrong', PLAIN, 'role: root,', 'role: root, skills: [fnd],', /did you mean `find`/],
  ['no provenance', FUNNEL, /provenance.*\n/, '', /provenance: \{ authored_by: human, version: 1\.0\.0 \}/],
  ['no provenance of a skill', SKILL, /provenance.*\n/, '', /provenance: \{ authored_by: human/],
  ['no description', SKILL, ', description: Finds things there.', '', /`description` is missing[\s\S]*for example/],
  ['no role', PLAIN, 'role: root, ', '', /`role` is missing[\s\S]*for example `role: /],
  ['no version', PLAIN, 'version: 1.0.0, ', '', /`version` is missing[\s\S]*for example `version: /],
  ['no apiVersion', PLAIN, 'apiVersion: kit/v1\n', '', /apiVersion[\s\S]*kit\/v1/],
  ['another apiVersion', PLAIN, 'apiVersion: kit/v1', 'apiVersion: kit/v9', /help: write `kit\/v1`/],
  ['no category', SKILL, 'category: capability\n', '', /`category` is missing[\s\S]*for example/],
  ['a category of nobody', SKILL, 'category: capability', 'category: capabilty', /did you mean `capability`/],
  ['a type of nobody', SKILL, 'type: llm_prompt', 'type: llm_promt', /did you mean `llm_prompt`/],
  ['a role with a letter wrong', FUNNEL, 'roles: [qa, ops]', 'roles: [qa, opz]', /did you mean `ops`/],
  ['a funnel of nobody', RELEASE, 'funnel: sign-off', 'funnel: sign-of', /did you mean `sign-off`/],
  ['a key with a letter wrong', RELEASE, '    funnel:', '    funel:', /did you mean `funnel`/],
  ['a key of the workspace with a letter wrong', WORKSPACE, 'memory:', 'memroy:', /did you mean `memory`/],
  ['yes for true', WORKSPACE, 'enabled: false', 'enabled: "no"', /write false/],
  ['a text for a list', FUNNEL, 'roles: [qa, ops]', 'roles: qa', /write a list: \[qa\]/],
  ['a list for a text', RELEASE, 'id: writer', 'id: [writer]', /write it without brackets: writer/],
  ['an id with capitals', SKILL, 'id: find', 'id: Find', /write `find`/],
  ['an empty value', RELEASE, 'id: writer', 'id:', /write a value, or remove the key/],
  ['a tab', RELEASE, '    role: root', '\trole: root', /a tab indents this line[\s\S]*indent with spaces/],
  [
    'a key twice',
    RELEASE,
    '    role: root',
    '    role: root\n    role: root',
    /first given here[\s\S]*keep one of them/,
  ],
  [
    'a bracket that is not closed',
    FUNNEL,
    'roles: [qa, ops]',
    'roles: [qa, ops',
    /not closed by `\]`[\s\S]*write `\]`/,
  ],
  ['a colon that is missing', RELEASE, 'id: writer', 'id writer', /help: put `: ` behind the key/],
  ['an empty file', SKILL, /[\s\S]*/, '', /the file is empty[\s\S]*begins with `apiVersion: kit\/v1`/],
  ['members as a text', ROLES, 'members: [ops-1]', 'members: ops-1', /write a list: \[ops-1\]/],
  ['a quorum with a letter missing', FUNNEL, 'quorum: all', 'quorum: al', /did you mean `all`/],
  ['an outdated word for a role', RELEASE, 'role: root', 'role: boss', /help: write `root`/],
];

const trigger = (config: string, target = 'plain'): string =>
  `apiVersion: kit/v1\nkind: Trigger\nmetadata: { id: nightly, name: Nightly }\ntype: cron\ntargets: [${target}]\nconfig: ${config}\n`;
const team = (children: string): string =>
  `apiVersion: kit/v1\nkind: Topology\nmetadata: { name: team, version: 1.0.0 }\nagents:\n  root:\n    { id: lead, role: root, model: { provider: mock, name: m1 }, prompt: { system: Lead. }, children: [${children}] }\n`;
const worker = (id: string, more = ''): string =>
  `{ id: ${id}, role: worker, model: { provider: mock, name: m1 }, prompt: { system: Work. }${more} }`;

/** Mistakes in a file beside the sound ones: where it is, its text, words of the first message. */
const ADDED: readonly (readonly [what: string, path: string, text: string, says: RegExp])[] = [
  ['a minute that no hour has', 'triggers/n.yaml', trigger('{ expression: "61 3 * * *" }'), /61/],
  ['a zone of nowhere', 'triggers/n.yaml', trigger('{ expression: "0 3 * * *", timezone: Berlin }'), /Europe\/Berlin/],
  ['a target of nobody', 'triggers/n.yaml', trigger('{ expression: "0 3 * * *" }', 'plan'), /did you mean `plain`/],
  ['an agent twice', 'topologies/team.yaml', team(`${worker('a')}, ${worker('a')}`), /`a`/],
  [
    'agents in a circle',
    'topologies/team.yaml',
    team(`${worker('a', ', depends_on: [b]')}, ${worker('b', ', depends_on: [a]')}`),
    /a -> b -> a[\s\S]*:::[\s\S]*take `b` out of this list/,
  ],
  [
    'an agent that waits for nobody',
    'topologies/team.yaml',
    team(worker('a', ', depends_on: [bb]')),
    /depends-on-unknown/,
  ],
  [
    'an archetype of nobody',
    'topologies/team.yaml',
    team(worker('a', ', archetype: coder')),
    /write archetypes\/coder\.yaml/,
  ],
  ['a merge key', 'topologies/team.yaml', `${team(worker('a'))}<<: *base\n`, /base|merge|alias/],
  [
    'a schema that is missing',
    'funnels/other.yaml',
    (SOUND[FUNNEL] ?? '')
      .replace('id: sign-off', 'id: other')
      .replace('approve:', 'validate: { schema: nowhere.json }\napprove:'),
    /nowhere\.json/,
  ],
];

const edited = ([, file, from, to]: Mistake): Files => {
  const text = SOUND[file] ?? '';
  const changed = text.replace(from, () => to);
  if (changed === text) throw new Error(`${file} has no ${String(from)}`);
  // Where an agent has the skill, what it lacks stops runs.
  const files = { ...SOUND, [file]: changed };
  return file === SKILL
    ? { ...files, [PLAIN]: (SOUND[PLAIN] ?? '').replace('role: root,', 'role: root, skills: [find],') }
    : files;
};

describe('a broken workspace', () => {
  it('is not the one that the mistakes are made in', async () => {
    const sound = await world.here(['validate', world.files('sound', SOUND)]);
    expect([sound.code, sound.stdout]).toEqual([0, expect.stringMatching(/^ok gated/m)]);
  });

  it.each(MISTAKES.map((mistake, at) => [mistake[0], mistake, at] as const))('%s', async (_what, mistake, at) => {
    const found = await world.here(['validate', world.files(`broken-${at}`, edited(mistake)), '--no-color']);
    expect(found.code).toBe(1);
    const [first = ''] = found.stdout.split(/\n\n(?=\w+\[)/);
    expect(first).toMatch(/^error\[[a-z.-]+\]: /);
    expect(first).toMatch(new RegExp(`--> ${mistake[1].replace('.', '\\.')}`));
    expect(first).toMatch(mistake[4]);
    // The text that mends it stands there too.
    expect(first).toMatch(/^ +(?:\||=) help: \S/m);
  });

  it.each([
    ['a folder with a letter missing', 'skill/other.yaml', SOUND[SKILL] ?? '', /did you mean skills\//],
    ['an id twice', 'skills/other.yaml', SOUND[SKILL] ?? '', /`find`/],
    ['a second workspace file', 'workspace.yml', SOUND[WORKSPACE] ?? '', /workspace\.y/],
  ])('%s', async (what, path, text, says) => {
    const found = await world.here(['validate', world.files(what.replaceAll(' ', '-'), { ...SOUND, [path]: text })]);
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(says)]);
  });

  it.each(ADDED)('%s', async (what, path, text, says) => {
    const files = { ...SOUND, [path]: text };
    const found = await world.here(['validate', world.files(what.replaceAll(' ', '-'), files), '--no-color']);
    expect(found.code, found.stdout).toBe(1);
    const [first = ''] = found.stdout.split(/\n\n(?=\w+\[)/);
    expect(first).toContain(`--> ${path}`);
    expect(first).toMatch(says);
    expect(first).toMatch(/help: \S/);
  });

  it('is mended by --fix where one answer is right, and told so before', async () => {
    const there = world.files('fixable', edited(['', RELEASE, '    funnel:', '    funel:', /./]));
    const told = await world.here(['validate', there, '--no-color']);
    expect([told.code, told.stdout]).toEqual([
      1,
      expect.stringContaining(`\`kit validate --fix ${there}\` fixes one of them`),
    ]);

    const shown = await world.here(['validate', there, '--fix', '--dry-run', '--json']);
    expect([shown.code, shown.lines()[0]]).toMatchObject([
      1,
      { type: 'validate.fixed', artifact_path: RELEASE, renamed_to: 'funnel', written: false },
    ]);

    const fixed = await world.here(['validate', there, '--fix', '--no-color']);
    expect([fixed.code, fixed.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^fixed topologies\/release\.yaml:\d+ {2}`funel` is now `funnel`\nfixed 1 in 1 file\n[\s\S]*ok gated/,
      ),
    ]);
  });

  it('is checked beside sound ones, and the exit code is the gravest', async () => {
    const sound = world.files('several-sound', SOUND);
    const broken = world.files('several-broken', edited(MISTAKES[0] as Mistake));
    const all = await world.here(['validate', sound, broken, '--no-color']);
    expect([all.code, all.stdout]).toEqual([
      1,
      expect.stringMatching(/several-sound:\n[\s\S]*ok gated[\s\S]*several-broken:\nerror\[/),
    ]);
    const none = await world.here(['validate', sound, world.base, '--json']);
    expect([none.code, none.lines().at(-1)]).toMatchObject([
      2,
      {
        status: 'failed',
        workspaces: [
          { status: 'ok', exit: 0 },
          { error: 'KIT_WORKSPACE_NOT_FOUND', exit: 2 },
        ],
      },
    ]);
    expect((await world.here(['validate', sound, sound])).code).toBe(0);
  });
});
