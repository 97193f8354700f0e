import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { talk } from '../e2e/workspaces.js';
import { makeWorld, type World } from '../e2e/world.js';
import { projectRoot } from '../support/kit-process.js';
import { loadedBy } from '../support/loaded-modules.js';
import { opaModule } from '../support/opa-module.js';
import { readDependencies } from '../support/packed-kit.js';

const { dependencies, devDependencies, peerDependencies } = await readDependencies();
/** What package.json lists: what is installed beside kit, and what is folded into it. */
const LISTED = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });

const PACKAGES = pathToFileURL(join(projectRoot, 'node_modules')).href;
/**
 * Names of listed packages whose files are among the modules; another version, further in, is none.
 */
const listedIn = (modules: readonly string[]): readonly string[] =>
  LISTED.filter((name) =>
    modules.some((url) => url.startsWith(`${PACKAGES}/${name}/`) && !url.includes(`/${name}/node_modules/`)),
  ).sort();

let world: World;
let hello: string;
beforeAll(async () => {
  world = await makeWorld();
  hello = await mkdtemp(join(tmpdir(), 'kit-budget-hello-'));
  await cp(join(projectRoot, 'templates/hello'), hello, { recursive: true });
});
afterAll(async () => {
  await world.dispose();
  await rm(hello, { recursive: true, force: true });
});

/** oclif, which finds its commands with the second, and measures texts with the third. */
const START = ['@oclif/core', 'picomatch', 'string-width'];
/** Compares versions, reads schedules and files in YAML, carries compiled schemas. */
const READ = [...START, 'ajv', 'ajv-formats', 'croner', 'semver', 'yaml'];
const GOVERNED = [...READ, '@microsoft/agent-governance-sdk'];

/** A workspace under policies of a language. */
const governed = (language: string, name: string, text: string | Uint8Array): string =>
  world.files(language, {
    ...talk({
      workspace: `governance: { provider: agt, policy_language: ${language}, config: { policies_dir: ./policies } }\n`,
    }),
    [`policies/${name}`]: text,
  });
const MODULE = opaModule({
  entrypoints: ['kit/authz/allow'],
  rules: [{ entrypoint: 0, of: 'input', holds: 'boss', result: true }],
});

/**
 * Whatever a command loads, is loaded by each of its users: nothing is, before a feature needs it.
 */
const ROWS: readonly {
  readonly name: string;
  readonly argv: () => readonly string[];
  readonly loads: readonly string[];
}[] = [
  { name: 'kit --version', argv: () => ['--version'], loads: START },
  { name: 'kit validate', argv: () => ['validate', hello], loads: READ },
  {
    name: 'kit run hello',
    argv: () => ['run', hello, 'hello', '--input', 'hi'],
    loads: [...READ, 'better-sqlite3', 'json-p3'],
  },
  {
    name: 'kit validate of policies in YAML',
    argv: () => ['validate', governed('yaml', 'a.yaml', 'name: all\ndefault_action: allow\nrules: []\n')],
    loads: GOVERNED,
  },
  {
    name: 'kit validate of policies in Cedar',
    argv: () => ['validate', governed('cedar', 'a.cedar', 'permit(principal, action, resource);\n')],
    loads: [...GOVERNED, '@cedar-policy/cedar-wasm'],
  },
  {
    name: 'kit validate of policies in Rego',
    argv: () => ['validate', governed('rego', 'a.wasm', MODULE)],
    loads: [...GOVERNED, '@open-policy-agent/opa-wasm'],
  },
];

describe.each(ROWS)('$name', ({ name, argv, loads }) => {
  it('loads no listed package but what it uses', async () => {
    const { modules } = await loadedBy(argv(), world.env);

    console.log(`${name}: ${modules.length} modules, of ${listedIn(modules).join(', ')}`);
    expect(listedIn(modules)).toEqual([...loads].sort());
  });
});
