/**
 * Blocks of the README, the tutorials and the how-tos that test/e2e/tutorials.test.ts does not type
 * line by line: each says why, or names the file that runs it. `begins` is how its first line
 * begins.
 */
export type ShownBlock = {
  readonly page: string;
  readonly begins: string;
} & ({ readonly reason: string } | { readonly runBy: string });

const howTo = (name: string): string => `docs/how-to/${name}.md`;
const tutorial = (name: string): string => `docs/tutorials/${name}.md`;

export const SHOWN_BLOCKS: readonly ShownBlock[] = [
  { page: 'README.md', begins: ' topology.yaml', reason: 'A picture.' },
  { page: 'README.md', begins: 'npm install --global', runBy: 'scripts/nodes.mjs' },
  { page: 'README.md', begins: 'npm ci && npm run quickstart', runBy: 'test/quickstart/quickstart.test.ts' },
  { page: 'README.md', begins: 'kit init demo', runBy: 'test/e2e/tutorials.test.ts' },
  { page: 'README.md', begins: 'export ANTHROPIC_API_KEY', runBy: 'test/e2e/readme-outside.test.ts' },
  { page: 'README.md', begins: 'kit serve ', runBy: 'test/e2e/tutorials.test.ts' },
  { page: 'README.md', begins: 'claude mcp add', runBy: 'test/e2e/readme-outside.test.ts' },
  {
    page: tutorial('first-topology'),
    begins: 'export ANTHROPIC_API_KEY',
    runBy: 'test/e2e/readme-outside.test.ts',
  },
  {
    page: tutorial('team-server'),
    begins: 'cp compose.env.example',
    reason: 'Docker pulls images of gigabytes. test/e2e/deploy holds the files to what kit reads.',
  },
  { page: tutorial('write-a-plugin'), begins: '(cd models && npm pack)', runBy: 'test/e2e/plugins/published.test.ts' },
  {
    page: tutorial('write-a-plugin'),
    begins: 'npm config set registry',
    runBy: 'test/e2e/plugins/published.test.ts',
  },
  { page: howTo('check-in-ci'), begins: 'steps:', runBy: 'test/e2e/action.test.ts' },
  { page: howTo('check-in-ci'), begins: 'repos:', reason: 'The program pre-commit installs kit from its registry.' },
  { page: howTo('complete-in-your-editor'), begins: '# yaml-language-server', reason: 'A line that an editor reads.' },
  { page: howTo('debug-a-wrong-answer'), begins: 'kit debug fork', runBy: 'test/e2e/explain/debug.test.ts' },
  {
    page: howTo('decide-in-a-browser'),
    begins: 'ADA_TOKEN=',
    reason: 'It listens on every address of the machine, and the profile wants TLS and a database in front.',
  },
  { page: howTo('back-up-and-restore'), begins: 'mkdir -p', runBy: 'test/e2e/backup.test.ts' },
  { page: howTo('keep-and-prune'), begins: '0 4 * * *', reason: 'A line of a crontab.' },
  {
    page: howTo('keep-and-prune'),
    begins: 'kit review export',
    reason: 'Its workspace has no gate. The how-to prove-a-decision types the same command.',
  },
  { page: howTo('post-gates-to-a-chat'), begins: 'release, run', runBy: 'test/plugins/sinks/chat.test.ts' },
  {
    page: howTo('rotate-keys'),
    begins: 'keys:',
    reason: 'A part of workspace.yaml, between two steps that are typed.',
  },
  { page: howTo('start-by-webhook'), begins: 'HOOK_SECRET=', runBy: 'test/e2e/triggers.test.ts' },
  { page: howTo('use-a-local-model'), begins: 'ollama pull', reason: 'Ollama loads a model of gigabytes.' },
  { page: howTo('use-a-local-model'), begins: 'model:', reason: 'A part of an archetype.' },
];
