import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { keepPrompts } from '../../src/boot/keep-prompts.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { eachBatch } from '../support/each-batch.js';
import { answer, goOn } from '../support/gated.js';
import { agent, call, commandSkill, openWorld, type Script, type World } from '../support/run-world.js';

const log = { debug: () => {} };
const root = agent('root', { role: 'root', skills: ['deploy'] });
const deploy = (script: string) => commandSkill('deploy', ['sh', '-c', script], { onFailure: 'escalate_to_human' });
const script: Script = ({ turn }) => (turn === 0 ? [call('deploy', { input: 'to production' })] : 'told');

let world: World | undefined;
afterEach(() => world?.close());

/** How many calls another process finds in the store. */
function keptIn({ dir }: Pick<World, 'dir'>): number {
  const db = new Database(join(dir, '.kit', 'store.sqlite'), { readonly: true });
  try {
    return Number(db.prepare('SELECT count(*) FROM prompts').pluck().get());
  } finally {
    db.close();
  }
}

/** A run whose calls are kept as in every process; `onWrite` is told of its commits. */
async function open(skill: string, onWrite: (op: RunWrite['op'], world: World) => void = () => {}): Promise<World> {
  let kept: RunFacilities | undefined;
  const wrap = (stores: Stores): Stores => ({
    ...stores,
    runs: {
      load: (id) => stores.runs.load(id),
      produced: (id) => stores.runs.produced(id),
      prune: (request) => stores.runs.prune(request),
      commit: eachBatch(async (fence, writes) => {
        await stores.runs.commit(fence, writes);
        for (const { op } of writes) onWrite(op, opened);
      }),
    },
  });
  const opened = await openWorld({
    root,
    skills: [deploy(skill)],
    script,
    wrap,
    facilities: () => ({
      onAsked: (asked) => kept?.onAsked?.(asked),
      flush: async () => kept?.flush?.(),
      dispose: async () => kept?.dispose(),
    }),
  });
  world = opened;
  const base = { ...opened.facilities, dispose: async () => undefined };
  kept = await keepPrompts(base, opened.job, { openStores: async () => opened.stores, log, count: 100 });
  return opened;
}

describe('calls of models that are held while a run executes', () => {
  it('are there for another process as soon as the end of the run is', async () => {
    const seen: number[] = [];
    const opened = await open('echo done', (op, at) => op === 'run.ended' && seen.push(keptIn(at)));
    expect(await opened.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(seen).toEqual([2]);
  });

  it('are there as soon as the run is parked, and those of the next claim stand beside them', async () => {
    const seen: [string, number][] = [];
    const opened = await open('exit 3', (op, at) => op.startsWith('run.') && seen.push([op, keptIn(at)]));
    expect(await opened.run()).toMatchObject({ kind: 'parked' });
    await answer(opened, { action: 'answer', text: 'deployed by hand' });
    await goOn(opened);

    expect(seen).toEqual([
      ['run.parked', 1],
      ['run.ended', 2],
    ]);
    const [last, first] = await opened.stores.prompts.list({ jobId: opened.job.id, limit: 10 });
    expect(JSON.parse(first?.prompt ?? '').messages).toHaveLength(2);
    expect(JSON.parse(last?.prompt ?? '').messages).toHaveLength(4);
    expect(last?.prompt).toContain('deployed by hand');
  });

  it('are there when a drain has made the run leave', async () => {
    const drain = new AbortController();
    const opened = await open('echo done', (op) => op === 'step.ended' && drain.abort('drain'));
    expect(await opened.run({ drain: drain.signal })).toMatchObject({ kind: 'released' });
    expect(keptIn(opened)).toBe(1);
  });
});
