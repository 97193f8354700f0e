import { gated } from './review/gated-workspace.js';

export type Files = Record<string, string>;

/** A sound workspace with one skill and one trigger beside the gated topology. */
export const SOUND: Files = {
  ...gated(),
  'skills/find.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: find, name: Find, description: Finds things there. }
category: capability
implementation: { type: llm_prompt, prompt: Find it. }
provenance: { authored_by: human, version: 1.0.0 }
`,
};
export const PLAIN = 'topologies/plain.yaml';
export const RELEASE = 'topologies/release.yaml';
const FUNNEL = 'funnels/sign-off.yaml';
const ROLES = 'roles/people.yaml';
export const SKILL = 'skills/find.yaml';
export const WORKSPACE = 'workspace.yaml';

/** One mistake: in which file, what is replaced by what, and words of the first message. */
export type Mistake = readonly [what: string, file: string, from: string | RegExp, to: string, says: RegExp];

export const MISTAKES: readonly Mistake[] = [
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
  ['a path for a funnel', RELEASE, 'funnel: sign-off', 'funnel: funnels/sign-off.yaml', /help: write `sign-off`/],
  ['a name for a model', RELEASE, 'model: { provider: mock, name: m1 }', 'model: m1', /write `model: \{ name: m1 \}`/],
  ['a switch for a mapping', WORKSPACE, 'memory: { enabled: false }', 'memory: off', /`memory: \{ enabled: false \}`/],
  [
    'a key of nobody',
    RELEASE,
    '    role: root',
    '    role: root\n    delegate_to: claude',
    /known here: id, role, archetype/,
  ],
  ['a file of UTF-16', SKILL, /[\s\S]*/, '\ufffd\ufffda\0p\0i\0', /not UTF-8 text[\s\S]*save it as UTF-8/],
  ['text for a whole file', SKILL, /[\s\S]*/, 'hello world\n', /a single value instead of a mapping/],
  ['two documents in a file', SKILL, 'category:', '---\ncategory:', /remove the line `---`/],
  ['an outdated word for a role', RELEASE, 'role: root', 'role: boss', /help: write `root`/],
];

const trigger = (config: string, target = 'plain'): string =>
  `apiVersion: kit/v1\nkind: Trigger\nmetadata: { id: nightly, name: Nightly }\ntype: cron\ntargets: [${target}]\nconfig: ${config}\n`;
const team = (children: string): string =>
  `apiVersion: kit/v1\nkind: Topology\nmetadata: { name: team, version: 1.0.0 }\nagents:\n  root:\n    { id: lead, role: root, model: { provider: mock, name: m1 }, prompt: { system: Lead. }, children: [${children}] }\n`;
const worker = (id: string, more = ''): string =>
  `{ id: ${id}, role: worker, model: { provider: mock, name: m1 }, prompt: { system: Work. }${more} }`;

/** Mistakes in a file beside the sound ones: where it is, its text, words of the first message. */
export const ADDED: readonly (readonly [what: string, path: string, text: string, says: RegExp])[] = [
  ['a minute that no hour has', 'triggers/n.yaml', trigger('{ expression: "61 3 * * *" }'), /61/],
  ['a zone of nowhere', 'triggers/n.yaml', trigger('{ expression: "0 3 * * *", timezone: Berlin }'), /Europe\/Berlin/],
  ['a target of nobody', 'triggers/n.yaml', trigger('{ expression: "0 3 * * *" }', 'plan'), /did you mean `plain`/],
  [
    'a path of Windows',
    'funnels/other.yaml',
    (SOUND[FUNNEL] ?? '')
      .replace('id: sign-off', 'id: other')
      .replace('approve:', 'validate: { schema: schemas\\out.json }\napprove:'),
    /does not exist[\s\S]*write `\/` between folders/,
  ],
  [
    'words for a schedule',
    'triggers/n.yaml',
    trigger('{ expression: every night at 3 }'),
    /`0 3 \* \* \*` is every day/,
  ],
  [
    'an agent that waits for itself',
    'topologies/team.yaml',
    team(worker('a', ', depends_on: [a]')),
    /depends on itself[\s\S]*remove `a` from this list/,
  ],
  ['a child by its name alone', 'topologies/team.yaml', team('coder'), /write `- \{ id: coder, role: worker \}`/],
  [
    'a list for a mapping',
    'topologies/team.yaml',
    team('').replace(/agents:[\s\S]*/, 'agents:\n  - id: lead\n    role: root\n'),
    /remove the `- ` before each key; known here: root/,
  ],
  [
    'a topology of one name twice',
    'topologies/team.yaml',
    SOUND[PLAIN] ?? '',
    /first defined here[\s\S]*raise the version/,
  ],
  ['a file above 5 MiB', 'roles/big.yaml', `# ${'x'.repeat(5 * 1024 * 1024)}\n`, /larger than 5 MiB[\s\S]*divide it/],
  ['an agent twice', 'topologies/team.yaml', team(`${worker('a')}, ${worker('a')}`), /`a`/],
  [
    'agents in a circle',
    'topologies/team.yaml',
    team(`${worker('a', ', depends_on: [b]')}, ${worker('b', ', depends_on: [a]')}`),
    /a -> b -> a[\s\S]*:::[\s\S]*remove `b` from this list/,
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
