import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import { adapter, harness, harnessWorlds } from './harness-world.js';
import { payloadsOf } from './laws.js';

const { run, nothingLeft } = harnessWorlds();

describe('a correction', () => {
  const outputSchema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
  const reported = `const fs2 = require("fs"); fs2.appendFileSync("told.txt", JSON.stringify({ args: process.argv.slice(1) }) + "\\n");
    say({ type: "start", session: "s-1" });
    const said = fs2.readFileSync("told.txt", "utf8").trim().split("\\n").length;
    done(said === 1 ? { n: "one" } : { n: said });`;
  const spec = (resume: JsonObject): JsonObject => {
    const base = adapter(reported);
    return {
      ...base,
      event_map: [{ when: { type: 'start' }, set: { session_id: '$.session' } }, ...(base.event_map as JsonObject[])],
      ...resume,
    };
  };

  it('goes on in the same worktree and session, and is told what to correct alone', async () => {
    const world = await run({
      adapter: spec({ resume: { arg: ['--resume', '{resume.token}'] } }),
      root: harness('root', { role: 'root', outputSchema }),
    });

    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"n":2}' });
    const diff = (await world.stores.jobs.diffs(world.job.id))?.root ?? '';
    const [first = '', second = ''] = diff.split('\n').filter((line) => line.startsWith('+{'));
    expect(first).toContain('End with one JSON value');
    expect(second).toContain('"--resume","s-1"');
    expect(second).toContain('The last answer did not fit');
    expect(second).not.toContain('End with one JSON value');
    expect(payloadsOf(await world.events(), 'executor.started').map(({ resumed }) => resumed)).toEqual([false, true]);
    nothingLeft();
  });

  it('is told the whole task by a program that cannot go on with a session, in the same worktree', async () => {
    const world = await run({ adapter: spec({}), root: harness('root', { role: 'root', outputSchema }) });

    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"n":2}' });
    const diff = (await world.stores.jobs.diffs(world.job.id))?.root ?? '';
    const [, second = ''] = diff.split('\n').filter((line) => line.startsWith('+{'));
    expect(second).toContain('End with one JSON value');
    expect(second).toContain('The last answer did not fit');
    nothingLeft();
  });
});
