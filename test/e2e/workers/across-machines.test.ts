import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { linesOf } from '../../support/kit-process.js';
import { gated } from '../review/gated-workspace.js';
import { noteSkill } from '../workspaces.js';
import { ask, type Fleet, openFleet, PEOPLE_KEYS, until, WAIT } from './fleet.js';

const kinds = (stdout: string): readonly string[] => linesOf(stdout).map(({ type }) => String(type));

it('a run is stopped, resumed and followed from other machines than the one that executes it', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const [here, there] = [fleet.workspace('api'), fleet.workspace('worker')];
  const [one, two] = [await fleet.api(here), await fleet.api(here)];

  // Waiting: a stop is at once, and a resume makes it wait again.
  const id = String((await ask(one, '/run/talk', { input: 'hi' })).body.id);
  expect((await ask(two, `/jobs/${id}/stop`, {})).body).toMatchObject({ status: 'stopped' });
  expect((await ask(one, `/jobs/${id}`)).body).toMatchObject({ status: 'stopped', attempt: 0 });
  expect((await ask(one, `/jobs/${id}/resume`, {})).body).toMatchObject({ status: 'queued' });

  // Followed from before its claim: nothing closes while it is queued, and what the worker does is
  // seen while it does it.
  const frames: { readonly atMs: number; readonly text: string }[] = [];
  const stream = await fetch(`${two.url}/jobs/${id}/stream?format=json`);
  const read = (async () => {
    for await (const chunk of stream.body ?? [])
      frames.push({ atMs: Date.now(), text: Buffer.from(chunk as Uint8Array).toString() });
  })();
  const said = () => frames.map(({ text }) => text).join('');
  await vi.waitUntil(() => said().includes('run.resumed'), WAIT);
  const seen = frames.length;
  fleet.model.hold();
  const worker = await fleet.worker(there, '--json');
  await fleet.model.held();
  await vi.waitUntil(() => said().includes('helper'), WAIT);
  expect(said()).not.toContain('[done]');
  expect((await ask(two, `/jobs/${id}`)).body).toMatchObject({ status: 'running' });

  // Stopped by the command line of a third machine while the model is asked. Nobody answers that
  // call: it is given up, and asked again by whoever goes on.
  const stop = await fleet.world.kit(['stop', id, fleet.workspace('laptop'), '--as', 'ada'], { env: fleet.env });
  expect(stop.code).toBe(0);
  await until(one, id, 'stopped');
  await read;
  fleet.model.release();
  expect(said()).toContain('[done] status=stopped');
  const delays = frames
    .slice(seen)
    .flatMap(({ atMs, text }) =>
      [...text.matchAll(/"timestamp":"([^"]+)"/g)].map(([, at]) => atMs - Date.parse(at ?? '')),
    );
  expect(delays.length).toBeGreaterThan(3);
  console.log(`events of another machine, seen through a stream: ${Math.max(...delays)} ms late at most`);

  const before = fleet.model.asked().length;
  expect((await ask(two, `/jobs/${id}/resume`, {})).body).toMatchObject({ status: 'queued' });
  expect(await until(one, id, 'completed')).toMatchObject({ output: 'all done' });
  expect(fleet.model.asked().slice(before)).toEqual(['helper', 'boss']);
  await vi.waitUntil(() => kinds(worker.stdout()).filter((kind) => kind === 'finished').length === 2, WAIT);
  expect(kinds(worker.stdout())).toEqual(['working', 'claimed', 'finished', 'claimed', 'finished']);
});

const KEYS = `server:
  jobs: { lease_seconds: 3 }
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:DANA_KEY", client_id: dana, tier: run }
        - { key_ref: "env:QA_KEY", client_id: qa-1, tier: run }
        - { key_ref: "env:OPS_KEY", client_id: ops-1, tier: run }
`;
const as = (who: keyof typeof PEOPLE_KEYS) => ({ authorization: `Bearer ${PEOPLE_KEYS[who]}` });

/** The gated workspace of the reviews, on the database of the fleet. */
const gatedFiles = (fleet: Fleet, name: string): string =>
  fleet.world.files(
    name,
    gated({ workspace: `storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" } }\n${KEYS}` }),
  );

it('a parked run leaves its worker free, and decisions at two apis wake it for any worker', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const [one, two] = [await fleet.api(gatedFiles(fleet, 'one')), await fleet.api(gatedFiles(fleet, 'two'))];
  const first = await fleet.worker(gatedFiles(fleet, 'first'), '--once', '--json');
  const none = await first.ended;
  expect([none.code, kinds(none.stdout)]).toEqual([0, ['working', 'result']]);

  const id = String((await ask(one, '/run/release', { input: 'write it' }, as('DANA_KEY'))).body.id);
  const parker = await fleet.worker(gatedFiles(fleet, 'parker'), '--once', '--concurrency', '1', '--json');
  const parked = await parker.ended;
  expect([parked.code, kinds(parked.stdout)]).toEqual([0, ['working', 'claimed', 'parked', 'result']]);
  expect((await ask(two, `/jobs/${id}`, undefined, as('DANA_KEY'))).body).toMatchObject({
    status: 'deferred',
    worker_id: null,
  });

  const waker = await fleet.worker(gatedFiles(fleet, 'waker'), '--json');
  const items = (await ask(two, `/review?kind=role_task&gate_id=${id}:writer`, undefined, as('QA_KEY')))
    .body as unknown as readonly {
    id: string;
    role: string;
  }[];
  const decide = (server: Pick<typeof one, 'url'>, who: 'QA_KEY' | 'OPS_KEY', role: string) =>
    ask(
      server,
      `/review/${encodeURIComponent(items.find((item) => item.role === role)?.id ?? '')}/resolve`,
      { outcome: 'approve' },
      as(who),
    );
  expect((await decide(one, 'QA_KEY', 'qa')).status).toBe(200);
  expect((await decide(two, 'OPS_KEY', 'ops')).status).toBe(200);
  await until(two, id, 'completed', as('DANA_KEY'));
  await vi.waitUntil(() => kinds(waker.stdout()).includes('finished'), WAIT);
});

it('a worker sees what was attached at the api, and claims its class alone', { timeout: 180_000 }, async () => {
  const fleet = await openFleet();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(64)]);
  const note = noteSkill('[sh, -c, "cat > /dev/null"]');
  const api = await fleet.api(
    fleet.workspace('api', {
      files: { ...note.files, 'pictures/one.png': png.toString('latin1') },
      text: note.workspace,
    }),
  );
  const there = fleet.workspace('worker', { files: note.files, text: note.workspace });

  const attachments = [{ data: png.toString('base64'), name: 'one.png' }];
  const { body, status } = await ask(api, '/run/talk', { input: 'look', attachments });
  expect([status, body.status]).toEqual([200, 'queued']);
  const harness = await fleet.worker(there, '--class', 'harness', '--once', '--json');
  const left = await harness.ended;
  expect([left.code, kinds(left.stdout)]).toEqual([0, ['working', 'result']]);
  expect((await ask(api, `/jobs/${String(body.id)}`)).body).toMatchObject({ status: 'queued', job_class: 'model' });

  const model = await fleet.worker(there, '--class', 'model', '--once', '--json');
  expect((await model.ended).code).toBe(0);
  await until(api, body.id, 'completed');
  expect(JSON.stringify(fleet.model.requests.at(0)?.body)).toContain(png.toString('base64').slice(0, 40));
});
