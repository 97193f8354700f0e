import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { localProvider } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

const TOKEN = 'planted-token-4f1b9c';
const KEY = 'planted-key-77a0de';
const FORMS = [TOKEN, KEY].flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startModelServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const JUDGE = `apiVersion: kit/v1
kind: Skill
metadata: { id: fit, name: Fit, description: Says whether a text is fit. }
category: decision
outputs: { type: object, properties: { reasoning: { type: string } } }
implementation: { type: llm_prompt, prompt: You judge. }
provenance: { authored_by: human, version: 1.0.0 }
`;

/**
 * A gated agent whose judge and whose people all say the secrets; one lies in the environment, one
 * in a file.
 */
function workspace(): string {
  const files = gated({ workspace: 'credentials:\n  token: { source: file, config: { path: ../secret.txt } }\n' });
  const onServer = Object.entries(files).map(
    ([path, text]) => [path, text.replaceAll('provider: mock', 'provider: local')] as const,
  );
  world.files('.', { 'secret.txt': `${TOKEN}\n` });
  return world.files('leaky', {
    ...Object.fromEntries(onServer),
    'providers/local.yaml': localProvider,
    'skills/fit.yaml': JUDGE,
    'funnels/sign-off.yaml': `${files['funnels/sign-off.yaml']}`.replace(
      'approve:\n',
      'judge: { skill: fit, threshold: 0.5 }\napprove:\n',
    ),
  });
}

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile());

it('a secret in a draft, in the words of a judge or in the comment of a person is kept and shown nowhere', async () => {
  const directory = workspace();
  const env = { MODEL_URL: server.url, LOCAL_KEY: KEY };
  const judged = { do: 'answer' as const, text: `{"verdict":"pass","confidence":0.9,"reasoning":"It names ${KEY}."}` };
  server.script({ do: 'answer', text: `The key is ${KEY}.` }, judged, { do: 'answer', text: `Still ${KEY}.` }, judged);
  const kit = (...argv: readonly string[]) => world.kit(argv, { env });

  const shown = [await kit('run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json')];
  const job = String(shown[0]?.lines().at(-1)?.id);
  const task = (role: string, round = ''): string => `mpa-${job}:writer-0-${role}${round}`;
  const said = `leave out ${TOKEN} and ${Buffer.from(KEY).toString('base64')}`;
  shown.push(
    await kit(
      'review',
      'resolve',
      task('qa'),
      directory,
      '--as',
      'qa-1',
      '--changes-requested',
      '--comment',
      said,
      '--resume',
      '--json',
    ),
    await kit('review', 'resolve', task('qa', '-r1'), directory, '--as', 'qa-1', '--approve', '--comment', said),
    await kit(
      'review',
      'resolve',
      task('ops', '-r1'),
      directory,
      '--as',
      'nobody',
      '--approve',
      '--comment',
      said,
      '--json',
    ),
    await kit(
      'review',
      'resolve',
      task('ops', '-r1'),
      directory,
      '--as',
      'ops-1',
      '--approve',
      '--comment',
      said,
      '--resume',
    ),
    await kit('review', 'gate', `${job}:writer`, directory, '--json'),
    await kit('review', 'export', `${job}:writer`, directory, '--output', join(directory, 'proof.json')),
    await kit('trace', job, directory, '--json'),
  );

  expect(shown.map(({ code }) => code)).toEqual([3, 0, 0, 2, 0, 0, 0, 0]);
  const reported = server.requests.map(({ body }) => JSON.stringify(body));
  expect(reported).toHaveLength(4);
  expect(reported[2]).toContain('leave out [MASKED] and [MASKED]');
  const kept = [...filesBelow(join(directory, '.kit')), join(directory, 'proof.json')];
  for (const form of FORMS) {
    for (const text of [...reported, ...shown.flatMap(({ stdout, stderr }) => [stdout, stderr])])
      expect(text).not.toContain(form);
    for (const path of kept) expect([path, readFileSync(path).includes(form)]).toEqual([path, false]);
  }
});
