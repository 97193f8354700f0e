import { expect, it } from 'vitest';
import { submitted } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

/** A look ahead is outside of the linear engine, and this one needs a time that doubles. */
const OUTSIDE = '^(?=(a+)+$)[^]*$';

it('an input that no pattern judges in time is refused, and the server goes on', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: OUTSIDE } } };
  const files = { 'topologies/idle.yaml': idleTopology('idle', { input_schema: schema }) };
  await withServeScene(idleWorkspace({ files }), async (scene) => {
    const late = await submitted(scene, 'idle', { input: { a: `${'a'.repeat(60)}!` } });
    expect([late.statusCode, late.json().errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/body/input', code: 'pattern-timeout' })],
    ]);
    expect(await (await scene.stores()).jobs.list({ limit: 10 })).toEqual([]);

    // Nothing that a pattern is about: a loaded machine may be late for any text.
    expect((await submitted(scene, 'idle', { input: {} })).statusCode).toBe(200);
  });
});
