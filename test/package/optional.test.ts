import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import { OPTIONAL_PACKAGES, type OptionalPackage } from '../../src/domain/optional-packages.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { talk } from '../e2e/workspaces.js';
import { lastOf, makeWorld, type World } from '../e2e/world.js';
import type { KitResult } from '../support/kit-process.js';
import { pdfOf } from '../support/knowledge-samples.js';
import { opaModule } from '../support/opa-module.js';
import { type LaidOutKit, layOutKit } from '../support/packed-kit.js';
import { SILENT } from '../support/store-world.js';

let folder: string;
let laidOut: LaidOutKit;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-packed-'));
  [laidOut, world] = await Promise.all([layOutKit(folder), makeWorld()]);
});
afterAll(async () => {
  await world.dispose();
  await rm(folder, { recursive: true, force: true });
});

const kit = (...argv: readonly string[]): Promise<KitResult> => world.kit(argv, { program: laidOut.program });

/** The refusal, as CLI and HTTP show it. */
const missing = (name: OptionalPackage) => ({
  type: 'error',
  code: 'KIT_PACKAGE_MISSING',
  exit: 2,
  message: `${OPTIONAL_PACKAGES[name].feature} needs the package ${name}, which is not installed`,
  hint: expect.stringContaining(`npm install --global ${name}@${OPTIONAL_PACKAGES[name].version}`),
});

const governed = (language: string): string =>
  `governance: { provider: agt, policy_language: ${language}, config: { policies_dir: ./policies } }\n`;
const policies = (language: string, name: string, text: string | Uint8Array) => ({
  ...talk({ workspace: governed(language) }),
  [`policies/${name}`]: text,
});
const MODULE = opaModule({
  entrypoints: ['kit/authz/allow'],
  rules: [{ entrypoint: 0, of: 'input', holds: 'boss', result: true }],
});

/** A workspace whose topology searches a PDF. */
const library = (): Record<string, string | Uint8Array> => {
  const files = talk({ root: '    skills: [search-handbook]\n' });
  const bases = 'artifacts:\n  knowledge_bases: [{ id: handbook, path: docs }]\n';
  return {
    ...files,
    'topologies/talk.yaml': `${files['topologies/talk.yaml']}${bases}`,
    'docs/terms.pdf': pdfOf(['A refund is never paid in cash.']),
  };
};

// Each package is there from its row on: the toolkit, which the other languages of policies need
// as well, comes first.
describe.each<{ readonly name: OptionalPackage; readonly files: Record<string, string | Uint8Array> }>([
  { name: 'unpdf', files: library() },
  {
    name: '@microsoft/agent-governance-sdk',
    files: policies('yaml', 'a.yaml', 'name: all\ndefault_action: allow\nrules: []\n'),
  },
  { name: '@cedar-policy/cedar-wasm', files: policies('cedar', 'a.cedar', 'permit(principal, action, resource);\n') },
  { name: '@open-policy-agent/opa-wasm', files: policies('rego', 'a.wasm', MODULE) },
])('a workspace that needs $name', ({ name, files }) => {
  const directory = () => world.files(name.replaceAll(/\W/g, '-'), files);

  it('is not run without it, and CLI and HTTP say what to install', async () => {
    const dir = directory();

    const [validated, ran] = await Promise.all([
      kit('validate', dir),
      kit('run', dir, 'talk', '--input', 'hi', '--json'),
    ]);

    const { message, hint } = missing(name);
    expect(lastOf(ran)).toMatchObject(missing(name));
    expect(ran.code).toBe(2);
    expect(validated.code).toBe(1);
    expect(validated.stdout + validated.stderr).toContain(message);
    expect(validated.stdout + validated.stderr).toEqual(hint);
  });

  it('is good with it', async () => {
    await laidOut.link(name);

    const validated = await kit('validate', directory());

    expect([validated.code, validated.stdout + validated.stderr]).toEqual([0, expect.not.stringContaining(name)]);
  });
});

describe('a workspace that keeps artifacts in S3', () => {
  const NOWHERE = 'storage: { artifacts: { backend: s3, bucket: notes, endpoint: "http://127.0.0.1:1" } }\n';
  const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

  it('says what to install when an artifact is needed, and reaches for the service with it', async () => {
    const dir = world.files('s3', talk({ workspace: NOWHERE }));
    const stores = await openSqliteStores({
      stateDir: join(dir, '.kit'),
      clock: createClock(),
      ids: createIds(readWorkerHost()),
      faults: NO_FAULTS,
      log: SILENT,
      processStartOf,
    });
    const { ref } = await stores.artifacts.put({
      correlation: 'c',
      runId: 'r',
      name: 'notes',
      mediaType: 'text/plain',
      bytes: Buffer.from('kept elsewhere'),
    });
    await stores.close();
    const get = () => world.kit(['artifacts', 'get', ref, dir, '--json'], { program: laidOut.program, env: KEYS });

    const without = await get();
    await laidOut.link('s3mini');
    const withIt = await get();

    expect(lastOf(without)).toMatchObject(missing('s3mini'));
    expect(lastOf(withIt)).toMatchObject({ code: 'KIT_ARTIFACT_STORE' });
  });
});

describe('a workspace whose runs lie in PostgreSQL', () => {
  it('says what to install, and reaches for the server with it', async () => {
    const storage = 'storage: { runtime: { backend: postgres, url: "postgres://nobody@127.0.0.1:9/runs" } }\n';
    const dir = world.files('postgres', talk({ workspace: storage }));
    const ask = () => kit('run', dir, 'talk', '--input', 'hi', '--json');

    const without = await ask();
    await laidOut.link('pg');
    const withIt = await ask();

    expect(lastOf(without)).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      message: 'storage.runtime.url names a PostgreSQL server, and the package pg cannot be loaded',
      hint: expect.stringContaining(`npm install --global pg@${OPTIONAL_PACKAGES.pg.version}`),
    });
    expect(lastOf(withIt)).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    expect(lastOf(withIt).message).not.toContain('package pg');
  });
});
