import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/runs/mount.js';
import { RunFeeds } from '../../../../src/app/jobs/run-feed.js';
import type { Stores } from '../../../../src/domain/ports/stores.js';
import { sseBytes } from '../../../../src/view/sse-stream.js';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as, serveGroup } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';
import { type Frame, framesOf, readStream } from '../../../support/http/sse.js';

const headers = as('read');
const listen = (scene: ServeScene): Promise<string> => scene.server.listen({ port: 0, host: '127.0.0.1' });
const texts = (frames: readonly Frame[]): readonly (string | null)[] =>
  frames.filter(({ data }) => data !== null).map(({ data }) => data);
const SLOWLY = { env: { KIT_MOCK_LATENCY_MS: '600000' } };

async function runOf(scene: ServeScene, input = 'x'): Promise<string> {
  const { id } = (await submitted(scene, 'idle', { input })).json();
  return id;
}

describe('the stream of a run', () => {
  it('tells a finished run from the beginning and ends, as plain lines with ids', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const id = await runOf(scene);
      await untilStatus(scene, id, 'completed');
      const answer = await read(scene, `/jobs/${id}/stream`);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
      expect(answer.body).not.toContain('event:');
      const frames = framesOf(answer.body);
      expect(frames[0]).toMatchObject({ retry: '2000', data: null });
      const lines = frames.slice(1);
      expect(lines.slice(0, -1).map((frame) => frame.id)).toEqual(
        lines.slice(0, -1).map((_, index) => String(index + 1)),
      );
      expect(texts(lines)[0]).toMatch(new RegExp(`^run ${id} of idle 1\\.0\\.0 submitted by alice$`));
      expect(texts(lines)).toContain('[boss] started');
      expect(texts(lines).at(-2)).toBe('run completed');
      expect(lines.at(-1)).toEqual({ id: null, data: '[done] status=completed', comment: null, retry: null });
    });
  });

  it('goes on after the last frame that was read, and tells everything where that frame is none of this run', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const id = await runOf(scene);
      await untilStatus(scene, id, 'completed');
      const all = framesOf((await read(scene, `/jobs/${id}/stream`)).body);
      const goOn = async (last: string) =>
        framesOf((await read(scene, `/jobs/${id}/stream`, { ...headers, 'last-event-id': last })).body);
      expect(await goOn('3')).toEqual([all[0], ...all.slice(4)]);
      expect(await goOn('0')).toEqual(all);
      expect(await goOn('999')).toEqual(all);
      expect((await read(scene, `/jobs/${id}/stream`, { ...headers, 'last-event-id': 'x' })).json()).toMatchObject({
        status: 422,
      });
    });
  });

  it('speaks JSON on request', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const id = await runOf(scene);
      await untilStatus(scene, id, 'completed');
      const lines = texts(framesOf((await read(scene, `/jobs/${id}/stream?format=json`)).body));
      expect(JSON.parse(lines[0] ?? '')).toEqual({
        seq: 1,
        timestamp: expect.any(String),
        type: 'run.started',
        agent_id: null,
        text: expect.any(String),
      });
      expect(lines.at(-1)).toBe('[done] status=completed');
      expect((await read(scene, `/jobs/${id}/stream?format=xml`)).statusCode).toBe(422);
    });
  });

  it('follows a run that goes on, and ends when it is stopped', async () => {
    await withServeScene(
      idleWorkspace({ jobs: { max_concurrent: 1 } }),
      async (scene) => {
        const base = await listen(scene);
        await runOf(scene);
        const stores = await scene.stores();
        const [running] = await scene.jobs.list({ workspace: scene.directory });
        if (running === undefined) throw new Error('nothing runs');
        const id = await scene.insertPending(running);
        const stream = readStream(`${base}/jobs/${id}/stream`, { headers });
        await expect.poll(async () => (await stores.jobs.get(id))?.status).toBe('pending');
        await act(scene, `/jobs/${id}/stop`);
        const { frames, hasEnded } = await stream;
        expect(hasEnded).toBe(true);
        expect(texts(frames).at(-1)).toBe('[done] status=stopped');
      },
      SLOWLY,
    );
  });

  it('ends when the server shuts down, without a last frame', async () => {
    await withServeScene(
      idleWorkspace(),
      async (scene) => {
        const closing = new AbortController();
        const items = await scene.jobs.stream({
          workspace: scene.directory,
          job: await runOf(scene),
          afterSeq: 0,
          signal: closing.signal,
        });
        const got: string[] = [];
        for await (const item of items) {
          got.push(item.kind);
          closing.abort();
        }
        expect(got).toEqual(['line']);
      },
      SLOWLY,
    );
  });

  it('asks the store once for a run that many look at, and tells each of them everything in order', async () => {
    await withServeScene(idleWorkspace({ files: { 'topologies/idle.yaml': idleTopology('idle') } }), async (scene) => {
      const stores = await scene.stores();
      let asked = 0;
      const counted: Pick<Stores, 'events' | 'jobs'> = {
        jobs: stores.jobs,
        events: {
          append: (event, labels) => stores.events.append(event, labels),
          read: (query) => stores.events.read(query),
          lookBack: (search) => stores.events.lookBack(search),
          readNewest: (query) => stores.events.readNewest(query),
          headCursor: () => stores.events.headCursor(),
          waitForChange: (ms, signal) => stores.events.waitForChange(ms, signal),
          readRun: (...args) => {
            asked += 1;
            return stores.events.readRun(...args);
          },
        },
      };
      const feeds = new RunFeeds(counted);
      const id = await runOf(scene);
      const never = new AbortController();
      const seqs = await Promise.all(
        Array.from({ length: 500 }, async () => {
          const seen: number[] = [];
          for await (const event of feeds.read(id, 0, never.signal)) seen.push(event.seq);
          return seen;
        }),
      );
      const all = (await stores.events.readRun(id, 0, 1000)).map(({ seq }) => seq);
      for (const seen of seqs) expect(seen).toEqual(all);
      expect(asked).toBeLessThan(50);
      expect(feeds.size).toBe(0);
    });
  });

  it('keeps nobody from the end who comes late, leaves early, or reads slowly', async () => {
    await withServeScene(
      idleWorkspace(),
      async (scene) => {
        const stores = await scene.stores();
        const feeds = new RunFeeds(stores);
        const id = await runOf(scene);
        await untilStatus(scene, id, 'running');
        const leaving = new AbortController();
        const early = (async () => {
          for await (const _ of feeds.read(id, 0, leaving.signal)) leaving.abort();
        })();
        await early;
        expect(feeds.size).toBe(0);
        const late = (async () => {
          const seen: number[] = [];
          for await (const event of feeds.read(id, 1, new AbortController().signal)) {
            await new Promise((resolve) => setImmediate(resolve));
            seen.push(event.seq);
          }
          return seen;
        })();
        await act(scene, `/jobs/${id}/stop`);
        await scene.serve.drain(0);
        const all = (await stores.events.readRun(id, 1, 1000)).map(({ seq }) => seq);
        expect(await late).toEqual(all);
      },
      SLOWLY,
    );
  });
});

it('is let go of as soon as its reader is gone', async () => {
  let signal: AbortSignal | null = null;
  const jobs = {
    stream: async (ask: { readonly signal: AbortSignal }) => {
      signal = ask.signal;
      return (async function* () {
        await new Promise<void>((resolve) => ask.signal.addEventListener('abort', () => resolve()));
      })();
    },
  };
  const server = await serveGroup(contribution, { jobs, serve: {} }, 'read');
  const base = await server.listen({ port: 0, host: '127.0.0.1' });
  await readStream(`${base}/jobs/aaaabbbbcccc/stream`, { headers, until: (frames) => frames.length === 1 });
  await expect.poll(() => signal?.aborted).toBe(true);
});

describe('the bytes of a stream', () => {
  it('hold a comment now and then while nothing happens', async () => {
    const over = new AbortController();
    async function* quiet() {
      await new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
    }
    const got: string[] = [];
    const parts = {
      items: quiet(),
      frameOf: () => Buffer.from(''),
      first: Buffer.from('first\n\n'),
      signal: over.signal,
      onStalled: () => {},
    };
    for await (const bytes of sseBytes({ ...parts, heartbeatMs: 5 })) {
      got.push(bytes.toString());
      if (got.length === 3) over.abort();
    }
    expect(got).toEqual(['first\n\n', ': alive\n\n', ': alive\n\n']);
  });

  it('tell of a reader that does not ask for more', async () => {
    const stalled = Promise.withResolvers<void>();
    const onStalled = vi.fn(() => stalled.resolve());
    const over = new AbortController();
    const parts = {
      items: (async function* () {})(),
      frameOf: () => Buffer.from(''),
      first: Buffer.from('x'),
      signal: over.signal,
    };
    const bytes = sseBytes({ ...parts, stalledMs: 5, onStalled });
    await bytes.next();
    await stalled.promise;
    await bytes.return(undefined);
    expect(onStalled).toHaveBeenCalledOnce();
  });

  it('are pulled: a reader that does not read holds back the run of nobody, and no memory of the server', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const base = new URL(await listen(scene));
      const id = await runOf(scene);
      await untilStatus(scene, id, 'completed');
      const socket = connect(Number(base.port), base.hostname);
      socket.on('error', () => {});
      socket.write(`GET /jobs/${id}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
      socket.pause();
      const other = await runOf(scene);
      await untilStatus(scene, other, 'completed');
      socket.destroy();
      await expect
        .poll(() => new Promise((resolve) => scene.server.server.getConnections((_, count) => resolve(count))))
        .toBe(0);
    });
  });
});
