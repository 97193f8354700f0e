import { describe, expect, it, vi } from 'vitest';
import { openServedWorld, STORES, WAIT } from './served-world.js';

const SHUTDOWN_SECONDS = 2;
const RUNS = 8;
/** One more than runs: one that has ended keeps its slot until its tool servers are gone. */
const SLOTS = RUNS + 1;
const STREAMS_EACH = 3;

describe.each(STORES)('a server over %s that is asked to end under load', (store) => {
  it('ends within its grace with 0, closes its streams in order, and the next start completes what was left', async () => {
    const { serve, model } = await openServedWorld(
      store,
      `server: { jobs: { max_concurrent: ${SLOTS}, shutdown_seconds: ${SHUTDOWN_SECONDS} } }\n`,
    );
    const first = await serve();
    const done = await first.submit('talk', 'job-99');
    await first.until(done, 'completed');
    model.hold();
    const ids = await Promise.all(Array.from({ length: RUNS }, (_, n) => first.submit('talk', `job-${n}`)));
    await vi.waitFor(() => expect(ids.map((_, n) => model.calls()[`helper job-${n}`])).toEqual(ids.map(() => 1)), WAIT);
    const streams = await Promise.all(
      ids.flatMap((id) => Array.from({ length: STREAMS_EACH }, () => fetch(`${first.url}/jobs/${id}/stream`))),
    );
    const shown = streams.map(() => '');
    const ends = streams.map(async ({ body }, n) => {
      for await (const chunk of body ?? []) shown[n] += new TextDecoder().decode(chunk);
    });
    // A stream that is cut before its first page is read again elsewhere; here each has shown
    // something.
    await vi.waitFor(
      () => expect(shown.filter((text) => text.includes('[boss] started'))).toHaveLength(streams.length),
      WAIT,
    );

    const askedMs = performance.now();
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const tookMs = performance.now() - askedMs;
    process.stdout.write(
      `${RUNS} runs and ${streams.length} streams over ${store}: ended after ${Math.round(tookMs)} ms\n`,
    );
    await Promise.all(ends);

    const asked = model.calls();
    model.release();
    const second = await serve();
    for (const [n, id] of ids.entries()) {
      expect(await second.until(id, 'completed')).toMatchObject({ attempt: 2, output: 'all done' });
      // The leader's first call was finished; the helper's was cut.
      expect([asked[`boss job-${n}`], model.calls()[`boss job-${n}`], model.calls()[`helper job-${n}`]]).toEqual([
        1, 2, 2,
      ]);
    }
    expect(await second.get(`/jobs/${done}`)).toMatchObject({ status: 'completed', attempt: 1 });
  }, 180_000);
});
