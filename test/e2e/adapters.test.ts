import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let root: string;
let path: string;
beforeAll(async () => {
  world = await makeWorld();
  root = makeRepositoryIn(world, 'team', harnessWorkspace('echo "{\\"type\\":\\"done\\",\\"text\\":\\"ok\\"}"')).root;
  const bin = join(world.base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.330 (Claude Code)"\n');
  chmodSync(join(bin, 'claude'), 0o755);
  path = `${bin}:/usr/bin:/bin`;
});
afterAll(() => world.dispose());

const kit = (...argv: string[]): Promise<KitResult> => world.here(argv, { cwd: root, env: { PATH: path } });
const row = async (id: string) => {
  const { adapters } = lastOf(await kit('adapters', 'list', '--json')) as { adapters: Record<string, unknown>[] };
  return adapters.find((one) => one.id === id) ?? {};
};

it('lists kit’s own adapters and those of the workspace, with the program found, its version and the approval', async () => {
  const text = await kit('adapters', 'list');

  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^claude-code +\S+\/bin\/claude +2\.1\.330 +bundled/m);
  expect(text.stdout).toMatch(/^codex +codex not found +bundled/m);
  expect(text.stdout).toMatch(/^own +\S+\/sh +NEEDS REVIEW +own +adapters\/own\.yaml/m);
  expect(await row('claude-code')).toMatchObject({ source: 'bundled', approval: 'bundled', version: '2.1.330' });
  // Nobody approved it: it is looked for, and not started.
  expect(await row('own')).toMatchObject({ source: 'workspace', approval: 'needs-review', version: null });
});

it('shows what an adapter starts, reads and resumes with', async () => {
  const claude = await kit('adapters', 'show', 'claude-code');
  const own = await kit('adapters', 'show', 'own', '-w', root);
  const json = lastOf(await kit('adapters', 'show', 'own', '--json'));

  expect(claude.stdout).toContain('--output-format stream-json');
  expect(claude.stdout).toContain("with         config.model: --model '{config.model}'");
  expect(claude.stdout).toContain('auth         api_key, subscription');
  expect(own.stdout).toContain(`kit adapters approve own --fingerprint ${json.fingerprint} -w ${root}`);
  expect(json).toMatchObject({ last_approval: null, spec: { stream: { format: 'jsonl' } } });
});

it('knows no other', async () => {
  const result = await kit('adapters', 'show', 'clod-code', '--json');

  expect(result.code).toBe(2);
  expect(lastOf(result)).toMatchObject({ code: 'KIT_ADAPTER_UNKNOWN', hint: expect.stringContaining('claude-code') });
});

it('approves exactly what was read; list, doctor and the run agree, and an edit has to be approved anew', async () => {
  const { fingerprint } = await row('own');
  const unasked = await kit('adapters', 'approve', 'own');
  const other = await kit('adapters', 'approve', 'own', '--fingerprint', '0'.repeat(64));
  const doctorBefore = await kit('doctor', '--json');
  const refused = await kit('run', 'own', '--input', 'hi');
  const approved = await kit('adapters', 'approve', 'own', '--fingerprint', String(fingerprint));
  const ran = await kit('run', 'own', '--input', 'hi');

  expect([unasked.code, other.code, refused.code, approved.code, ran.code]).toEqual([2, 2, 2, 0, 0]);
  expect(unasked.stdout).toContain('own was never approved in this workspace. All of it:');
  expect(unasked.stderr).toContain(`--fingerprint ${fingerprint}`);
  expect(refused.stderr).toContain('kit adapters approve own');
  expect(doctorBefore.stdout).toContain('nobody approved that it starts');
  expect((await kit('doctor', '--json')).stdout).not.toContain('nobody approved');
  expect(await row('own')).toMatchObject({ approval: 'approved' });

  const file = join(root, 'adapters/own.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('format: jsonl', 'format: jsonl, retain_raw: true'));
  const changed = await kit('adapters', 'approve', 'own');
  expect(changed.code).toBe(2);
  expect(changed.stdout).toMatch(/own was approved by \S+ on \d{4}-.*What has changed since:/);
  expect(changed.stdout).toContain('+    "retain_raw": true');
  expect(changed.stdout).not.toContain('"command"');
  expect(await row('own')).toMatchObject({ approval: 'needs-review' });
  expect((await kit('run', 'own', '--input', 'hi')).code).toBe(2);
});

it('builds the image of an adapter that somebody approved, and says whether kit is reached from it', async () => {
  const boxes = join(world.base, 'boxes');
  mkdirSync(boxes);
  writeFileSync(
    join(boxes, 'podman'),
    '#!/bin/sh\ncase "$1" in version) ;; build) echo "STEP 1"; cat; exit 0 ;; run) exit 1 ;; esac\n',
    { mode: 0o755 },
  );
  const sandbox = '  sandbox: { kind: container, build: { base: "tools:1", install: ["install-it"] } }\n';
  const own = readFileSync(join(root, 'adapters/own.yaml'), 'utf8');
  writeFileSync(
    join(root, 'adapters/boxed.yaml'),
    own.replace('id: own', 'id: boxed').replace('spec:\n', `spec:\n${sandbox}`),
  );
  const build = (...argv: string[]) =>
    world.here(['adapters', 'build', ...argv], { cwd: root, env: { PATH: `${boxes}:${path}` } });

  const refused = await build('boxed');
  await kit('adapters', 'approve', 'boxed', '--fingerprint', String((await row('boxed')).fingerprint));
  const reported = await build('boxed');
  const built = await build('boxed', '--json');

  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('kit adapters approve boxed') });
  expect(reported.stderr).toContain('RUN install-it');
  expect(reported.stdout).toMatch(/^built kit-harness:\S+ with podman\nIt has no Node\.js 20/);
  expect(lastOf(built)).toMatchObject({
    ...{ adapter: 'boxed', runtime: 'podman', has_node: false },
    image: expect.stringMatching(/^kit-harness:[0-9a-f]{12}$/),
  });
  expect((await build('claude-code')).stderr).toContain('does not use a container');
});

it('hides nothing of a command line where a run is refused or planned, or an adapter is approved', async () => {
  const files = harnessWorkspace('SCRIPT');
  const yaml = files['adapters/own.yaml']?.replace("'SCRIPT'", '"true #\\e]\\nevil\\n#\\a \\x9b; ../x"') ?? '';
  const sneaky = makeRepositoryIn(world, 'sneaky', { ...files, 'adapters/own.yaml': yaml }).root;
  const there = (...argv: string[]) => world.here(argv, { cwd: sneaky, env: { PATH: path } });

  for (const argv of [
    ['run', 'own', '--input', 'x'],
    ['run', 'own', '--input', 'x', '--dry-run'],
    ['adapters', 'approve', 'own'],
    ['system'],
    ['doctor'],
  ]) {
    const { stdout, stderr } = await there(...argv);

    expect(`${stdout}${stderr}`, argv.join(' ')).toMatch(
      /true #\\u(\{1b\}|001b)\]\\nevil\\n#\\u(\{7\}|0007) \\u\{9b\}; \.\.\/x/,
    );
    expect(`${stdout}${stderr}`, argv.join(' ')).not.toMatch(/(?!\n)\p{Cc}/u);
  }
});
