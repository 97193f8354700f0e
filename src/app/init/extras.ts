import type { TemplateFile } from '../templates.js';

/** Files around a workspace that `kit init --with` writes beside it. */
export type InitExtra = 'gitignore' | 'ci' | 'editor';

/** What the files around a workspace are made of. */
export interface ExtraFacts {
  /** Version of the running kit, which the CI file installs. */
  readonly version: string;
  /**
   * Way from the top of the repository to the workspace, with forward slashes; '' = the workspace
   * is its top, or there is no repository.
   */
  readonly below: string;
  /** The workspace has eval sets. */
  readonly hasEvals: boolean;
  /** Schemas of the kinds by file name. */
  readonly schemas: readonly TemplateFile[];
  /** Folder of each kind and the file name of its schema. */
  readonly kinds: readonly { readonly glob: string; readonly schema: string }[];
}

const GITIGNORE = `# Runs, journal and reports of kit.
.kit/
# Values for the environment. Keys belong into no file of a repository.
.env
*.env
node_modules/
`;

const ciText = ({ version, below, hasEvals }: ExtraFacts): string => `name: kit
on: [push, pull_request]
permissions:
  contents: read
jobs:
  kit:
    runs-on: ubuntu-latest
${below === '' ? '' : `    defaults:\n      run:\n        working-directory: ${JSON.stringify(below)}\n`}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm install --global @kit-run/kit@${version}
      # Each finding stands at its line of the pull request.
      - run: kit validate --require --format github
${hasEvals ? '      # The answers of models need their keys: name them below env.\n      - run: kit eval\n' : ''}`;

/** Where copies of the schemas lie beside a workspace, and the settings that name them. */
export const SCHEMA_FOLDER = '.vscode/kit-schemas';
export const SETTINGS_FILE = '.vscode/settings.json';

/** The setting `yaml.schemas`: copy of the schema -> files that it is of. */
export const yamlSchemas = (kinds: ExtraFacts['kinds']): Readonly<Record<string, string>> =>
  Object.fromEntries(kinds.map(({ glob, schema }) => [`./${SCHEMA_FOLDER}/${schema}`, glob]));

const editorFiles = ({ schemas, kinds }: ExtraFacts): readonly TemplateFile[] => [
  {
    path: SETTINGS_FILE,
    text: `${JSON.stringify({ 'yaml.schemas': yamlSchemas(kinds) }, null, 2)}\n`,
  },
  {
    path: '.vscode/extensions.json',
    text: `${JSON.stringify({ recommendations: ['redhat.vscode-yaml'] }, null, 2)}\n`,
  },
  ...schemas.map(({ path, text }) => ({ path: `${SCHEMA_FOLDER}/${path}`, text })),
];

/**
 * The files of one extra, relative to the workspace. The CI file lies at the top of the repository,
 * because nothing reads it elsewhere. Pure.
 */
export function extraFiles(extra: InitExtra, facts: ExtraFacts): readonly TemplateFile[] {
  switch (extra) {
    case 'gitignore':
      return [{ path: '.gitignore', text: GITIGNORE }];
    case 'ci': {
      const up = facts.below === '' ? '' : '../'.repeat(facts.below.split('/').length);
      return [{ path: `${up}.github/workflows/kit.yml`, text: ciText(facts) }];
    }
    case 'editor':
      return editorFiles(facts);
  }
}
