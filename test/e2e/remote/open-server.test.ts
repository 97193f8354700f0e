import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { gated } from '../review/gated-workspace.js';
import { lastOf, makeWorld, type World } from '../world.js';

/**
 * A server without auth knows everybody as one identity: a printed decision of somebody else would
 * work for nobody.
 */
let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const open = async (settings: string) => {
  const dir = world.files(`open-${settings.length}`, gated({ workspace: settings }));
  const asked = await world.here(['run', dir, 'release', '--input', 'write it', '--as', 'dana', '--json']);
  const run = String(lastOf(asked).id);
  const server = await startServe([dir], world.env);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const kit = (...argv: string[]) => world.here([...argv, '--server', server.url], { cwd: world.base });
  return { kit, run };
};
const WHY = 'this server has no auth, and knows everybody as anonymous';

it('prints no decision that nobody can give, and says what its operator sets', async () => {
  const { kit, run } = await open('');

  for (const argv of [
    ['why', run],
    ['review', 'gate', run],
    ['review', 'show', `mpa-${run}:writer-0-qa`],
  ]) {
    const { stdout } = await kit(...argv);
    expect(stdout, argv.join(' ')).toContain(WHY);
    expect(stdout).toContain('server.auth');
    expect(stdout).not.toContain('--as');
  }
  const named = await kit('review', 'resolve', `mpa-${run}:writer-0-qa`, '--as', 'qa-1', '--approve', '--json');
  expect(lastOf(named)).toMatchObject({ code: 'KIT_USAGE', hint: expect.stringContaining('server.auth') });
});

it('refuses a decision without a hint that nobody can follow: no --as, no sign-in', async () => {
  const { kit, run } = await open('# nobody signs in\n');
  const refusals = [
    ['KIT_ITEM_AMBIGUOUS', await kit('review', 'approve', run.slice(0, 6), '--json')],
    ['KIT_APPROVAL_DENIED', await kit('review', 'approve', `mpa-${run}:writer-0-qa`, '--json')],
    ['KIT_APPROVAL_DENIED', await kit('review', 'resolve', `mpa-${run}:writer-0-qa`, '--approve', '--json')],
  ] as const;

  for (const [code, refused] of refusals) {
    const { hint, ...reported } = lastOf(refused);
    expect([refused.code, reported]).toMatchObject([2, { code }]);
    expect(hint).toContain('server.auth');
    expect(hint).not.toMatch(/--as|auth login|KIT_TOKEN/);
  }
});

it('prints the decision where everybody is somebody who can give it', async () => {
  const { kit, run } = await open('server: { auth: { provider: none, config: { identity: qa-1 } } }\n');

  const { stdout } = await kit('why', run);
  const [, pasted = ''] = /next: kit (.*)/.exec(stdout) ?? [];
  const decided = await world.here([...pasted.split(' '), '--json'], { cwd: world.base });

  expect(stdout).not.toContain(WHY);
  expect(lastOf(decided)).toMatchObject({ decision: { identity: 'qa-1', outcome: 'approve' } });
});
