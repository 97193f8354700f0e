// A gate is decided, and its run goes on in the same process: from the committed decision to the
// first event of the resumed agent.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import '../support/processes-typescript.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';
import { onCommit } from './support/kit-app.mjs';

const { openSceneApp } = await import('../support/scene/scene-app.ts');
const { gated } = await import('../e2e/review/gated-workspace.ts');
const { createReviewApp } = await import('../../src/app/review/create-review-app.ts');
const { LOCAL_AUTH } = await import('../../src/domain/gates.ts');
const { createClock } = await import('../../src/system/clock.ts');
const { createIds } = await import('../../src/system/ids.ts');
const { readWorkerHost } = await import('../../src/system/worker-host.ts');

const TIMES = 15;
const BAR_MS = 15;
const ROLES = {
  roles: [
    { id: 'qa', members: ['qa-1'], scopes: ['release:sign'] },
    { id: 'ops', members: ['ops-1'], scopes: ['release:sign'] },
  ],
  identities: [],
  digest: 'a'.repeat(64),
};

await inDirectory(async (directory) => {
  for (const [path, content] of Object.entries(gated())) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  let firstMs = 0;
  const isOfAgent = (write) => write.events?.some((event) => event.agentId === 'writer') === true;
  const wrap = (stores) =>
    onCommit(stores, (_, writes) => {
      if (firstMs === 0 && writes.some(isOfAgent)) firstMs = performance.now();
    });
  const env = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: join(directory, 'config') };
  const app = openSceneApp(directory, { env, wrap });
  const [stores, clock, host] = [await app.stores(), createClock(), readWorkerHost()];
  const review = createReviewApp({
    clock,
    ids: createIds(host),
    host,
    openStores: async () => stores,
    readRoles: async () => ROLES,
    loadWorkspace: () => Promise.reject(new Error('not asked here')),
    signer: async () => null,
    maskOf: async () => (text) => text,
  });
  const request = {
    workspace: directory,
    topology: 'release',
    input: 'Write it.',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'dana', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  };

  /**
   * Milliseconds from the return of the last decision; the run has ended or waits again when this
   * returns.
   */
  async function decideAndGoOn(decisions) {
    const parked = await (await app.runs.start(request)).done;
    let decided;
    for (const [identity, role, outcome] of decisions)
      decided = await review.resolve({
        workspace: directory,
        item: `mpa-${parked.id}:writer-0-${role}`,
        identity,
        auth: LOCAL_AUTH,
        outcome,
        comment: 'shorter',
      });
    const committedMs = performance.now();
    firstMs = 0;
    const gone = await app.runs.goOn({ workspace: directory, job: decided.job.id, by: 'bench', mode: 'insist' });
    if (gone.kind !== 'taken') throw new Error(`the run was left: ${gone.why}`);
    await gone.handle.done;
    return firstMs - committedMs;
  }

  console.log(`one process, the store warm; ${loadNow()}`);
  for (const [what, decisions] of [
    [
      'approved by two: decision to first event',
      [
        ['qa-1', 'qa', 'approve'],
        ['ops-1', 'ops', 'approve'],
      ],
    ],
    ['changes requested: decision to first event', [['qa-1', 'qa', 'changes_requested']]],
  ]) {
    const took = [];
    for (let n = 0; n < TIMES; n++) took.push(await decideAndGoOn(decisions));
    const middle = median(took);
    show(what, `${ms(middle, 1)} (slowest ${ms(Math.max(...took), 1)})`, {
      bar: `<= ${BAR_MS} ms`,
      holds: middle <= BAR_MS,
    });
  }
  await app.close();
});
