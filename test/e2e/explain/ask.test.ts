import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../why/scene.js';
import { lastOf, makeWorld, type World } from '../world.js';

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());
beforeEach(async () => {
  scene = await openScene(world);
});
afterEach(() => scene.close());

describe('kit ask', () => {
  it('answers in a run without tools from the evidence alone, and shows the facts beside it', async () => {
    const run = await scene.run();
    scene.reply = (request) => ({
      do: 'answer',
      text: `saw ${JSON.stringify(request.body.messages).includes(run)}, ${request.body.tools?.length ?? 0} tools`,
    });

    const result = await scene.kit('ask', 'What did the last run do?', '--json');

    expect(result.code).toBe(0);
    expect(lastOf(result)).toMatchObject({
      answer: 'saw true, 0 tools',
      problem: null,
      missing: [],
      run_id: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(
      (lastOf(result).facts as readonly string[]).some((fact) => fact.startsWith(`run ${run} of talk: completed`)),
    ).toBe(true);
  });

  it('asks nobody with --offline, and says what is missing', async () => {
    const asked = scene.server.requests.length;

    const nothing = await scene.kit('ask', 'What happened?', '--offline', '--json');
    const unknown = await scene.kit('ask', 'What happened?', '--run', '000000000000', '--json');
    const empty = await scene.kit('ask', ' ', '--json');

    expect(lastOf(nothing)).toMatchObject({
      answer: null,
      problem: null,
      missing: ['nothing was ever run in this workspace'],
    });
    expect([unknown.code, lastOf(unknown).code]).toEqual([2, 'KIT_JOB_UNKNOWN']);
    expect([empty.code, lastOf(empty).code]).toEqual([2, 'KIT_USAGE']);
    expect(scene.server.requests.length).toBe(asked);
  });

  it('shows the facts and the trouble where no model answers, and kit why --explain does the same', async () => {
    const run = await scene.run();
    scene.reply = { do: 'status', status: 401, message: 'the key is wrong' };

    const text = await scene.kit('ask', 'What did it do?', '--run', run);
    const json = lastOf(await scene.kit('why', run, '--explain', '--json'));

    expect(text.code).toBe(0);
    expect(text.stdout).toContain(`run ${run} of talk: completed`);
    expect(text.stdout).toContain('local');
    expect(json).toMatchObject({
      explanation: { answer: null, problem: expect.stringContaining('local') },
      situation: { code: 'completed.done' },
    });
  });
});
