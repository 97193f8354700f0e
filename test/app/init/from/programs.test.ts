import { describe, expect, it } from 'vitest';
import { programUses } from '../../../../src/app/init/from/programs.js';

const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { name: team }
mcp_servers:
  - id: files
    transport: stdio
    command: [npx, -y, "\${SERVER}", "a b"]
    env: { NODE_OPTIONS: "--require ./x.js" }
  - { id: web, transport: http, url: "https://example.com" }
command_packs:
  - id: git
    commands:
      - { id: status, argv: [git, status] }
`;
const ADAPTER = `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: mine }
spec:
  launch:
    command: [sh, -c, "echo a\\necho b\\u001b[2K"]
    optional_args: [{ when: model, args: [--model, "{model}"] }]
  sandbox: { image: "ghcr.io/x/y:1" }
`;
const ARCHETYPE = 'kind: Archetype\nmetadata: { id: coder }\nexecutor: { kind: harness, ref: claude-code }\n';
const TRIGGER =
  'kind: Trigger\nmetadata: { id: nightly }\ntype: cron\nconfig: { expression: "0 3 * * *" }\ntargets: [review]\n';

describe('what of a workspace from elsewhere would start a program', () => {
  it('is told whole, with the place, whatever starts it', () => {
    const uses = programUses([
      { path: 'workspace.yaml', text: WORKSPACE },
      { path: 'adapters/mine.yaml', text: ADAPTER },
      { path: 'archetypes/coder.yaml', text: ARCHETYPE },
      { path: 'triggers/nightly.yaml', text: TRIGGER },
      { path: 'package.json', text: '{"scripts":{"postinstall":"node x.js"}}' },
      { path: 'workspace.env.yaml', text: 'SERVER: evil-server\nOTHER: x\n' },
      { path: 'docs/a.yaml', text: 'command: [not, an, artifact]' },
    ]);
    expect(uses.map(({ what, text, place }) => `${what} | ${text} | ${place}`)).toEqual([
      `tool server files | npx -y '\${SERVER}' 'a b'  (env: {"NODE_OPTIONS":"--require ./x.js"}) | workspace.yaml:7`,
      'command status | git status | workspace.yaml:13',
      "coding agent mine | sh -c 'echo a\\necho b\\u{1b}[2K' | adapters/mine.yaml:6",
      "more words of the coding agent mine | --model '{model}' | adapters/mine.yaml:7",
      'container image | ghcr.io/x/y:1 | adapters/mine.yaml:8',
      'executor of coder | {"kind":"harness","ref":"claude-code"} | archetypes/coder.yaml:3',
      'trigger nightly | type: cron, config: {"expression":"0 3 * * *"}, targets: ["review"] | triggers/nightly.yaml:1',
      'npm script postinstall | node x.js | package.json',
      'value of ${SERVER} | "evil-server" | workspace.env.yaml',
    ]);
  });

  it('is said to be unknown of a file that cannot be read', () => {
    expect(
      programUses([
        { path: 'adapters/a.yaml', text: 'a: [' },
        { path: 'x/package.json', text: '{' },
      ]),
    ).toEqual([
      { what: 'unreadable', text: expect.stringContaining('cannot say what it starts'), place: 'adapters/a.yaml' },
      { what: 'unreadable', text: expect.stringContaining('cannot say what it starts'), place: 'x/package.json' },
    ]);
  });

  it('is refused where nobody would read it', () => {
    const text = `kind: ExecutorAdapter\nspec: { launch: { command: [sh, -c, "${'x'.repeat(5_000)}"] } }\n`;
    expect(() => programUses([{ path: 'adapters/a.yaml', text }])).toThrow('adapters/a.yaml:2: coding agent has');
  });
});
