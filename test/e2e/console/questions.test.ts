import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bash, FAKE_CLAUDE, scripted, type Turns } from '../../support/fake-claude.js';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { gated } from '../review/gated-workspace.js';
import { KEYS, SERVER, type ServedConsole, serveConsole } from './served-console.js';
import { tooWide, violationsInBoth, visits } from './visit.js';

const CODER = `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Asks people. }
role: root
defaults: {}
executor: { kind: harness, ref: claude-code, config: { auth_mode: api_key } }
provenance: { authored_by: human, version: 1.0.0 }
`;
const ASK = `apiVersion: kit/v1
kind: Topology
metadata: { name: ask, version: 1.0.0 }
agents: { root: { id: coder, role: root, archetype: coder } }
`;
const question = (text: string) => ({
  call: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: text,
        header: 'DB',
        multiSelect: false,
        options: [
          { label: 'Postgres', description: 'pg' },
          { label: 'SQLite', description: 'lite' },
        ],
      },
    ],
  },
});

let served: ServedConsole;
let browser: TestBrowser;
let programs: string;
beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'kit-programs-'));
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_CLAUDE}' "$@"\n`, {
    mode: 0o755,
  });
  const files = { ...gated({ workspace: SERVER }), 'archetypes/coder.yaml': CODER, 'topologies/ask.yaml': ASK };
  const env = { PATH: `${programs}:${process.env.PATH}`, ANTHROPIC_API_KEY: 'a-key-of-nobody' };
  [served, browser] = await Promise.all([serveConsole(files, env), startBrowser()]);
  execFileSync('git', ['init', '-q', served.dir]);
  const as = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
  for (const words of [
    ['add', '.'],
    [...as, 'commit', '-qm', 'all'],
  ])
    execFileSync('git', ['-C', served.dir, ...words], { env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  rmSync(programs, { recursive: true, force: true });
});

const asked = (text: string): Promise<string> => parked([[question(text)], [{ say: 'Then so.' }]]);

async function parked(turns: Turns): Promise<string> {
  const input = scripted(turns);
  const { id } = await served.ask<{ readonly id: string }>('dana', '/run/ask', { input });
  await served.until(async () => expect(await served.ask('dana', `/jobs/${id}`)).toMatchObject({ status: 'deferred' }));
  return id;
}

it('takes an option and words beside it, with keys alone, on a phone', async () => {
  const run = await asked('Which database?');
  const { page, faults } = await visits(browser, served).signedIn('qa-1');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByText('Which database?').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Which database?' }).waitFor();
  await page.keyboard.press('a');
  await page.getByText('Choose one:').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'SQLite', pressed: true }).waitFor();
  await page.keyboard.type('small is enough');
  expect(await tooWide(page)).toBe(0);
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press('Enter');

  await served.until(async () =>
    expect(await served.ask('dana', `/jobs/${run}`)).toMatchObject({ status: 'completed' }),
  );
  const all = await served.ask<readonly { readonly id: string; readonly run_id: string }[]>('dana', '/review/all');
  await page.goto(`${served.url}/console/items/${all.find(({ run_id: of }) => of === run)?.id}`);
  await page.getByLabel('API key').fill(KEYS['qa-1']);
  await page.keyboard.press('Enter');
  await page.getByText('This is answered: SQLite').waitFor();
  await page.getByText('qa-1: answered SQLite').waitFor();
  await page.getByText('small is enough').first().waitFor();
  expect(faults).toEqual([]);
}, 120_000);

it('lets people refuse to answer', async () => {
  const run = await asked('Which of the two?');
  const { page, faults } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('Which of the two?').first().click();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.keyboard.type('Read the README.');
  await page.keyboard.press('Enter');

  await served.until(async () =>
    expect(await served.ask('dana', `/jobs/${run}`)).toMatchObject({ status: 'completed' }),
  );
  expect(faults).toEqual([]);
}, 120_000);

it('shows what was changed before a call as a diff, and the call without it', async () => {
  const write = { call: 'Write', input: { file_path: 'note.md', content: 'one line\n' } };
  await parked([[write], [bash('true')], [{ say: 'Done.' }]]);
  const { page, faults } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('May coder do this once?').first().click();
  await page.getByRole('heading', { name: 'Changed so far' }).waitFor();
  await page.getByText('+one line', { exact: true }).waitFor();
  await page.getByText('"subject": "true"').waitFor();
  expect(await page.getByText('diff --git').count()).toBe(0);
  expect(await violationsInBoth(page)).toEqual([]);
  expect(faults).toEqual([]);
}, 120_000);
