import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ArtifactRecord, NewArtifact } from '../../../src/domain/ports/artifacts.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  runEndWrite,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_BYTE = Uint8Array.from({ length: 512 }, (_, n) => n % 256);

const sample = (over: Partial<NewArtifact> = {}): NewArtifact => ({
  correlation: 'release-7',
  runId: 'a1b2c3d4e5f6',
  name: 'output',
  mediaType: 'text/plain',
  bytes: Buffer.from('a draft'),
  ...over,
});

export function artifactLaws(world: World): void {
  const put = (over: Partial<NewArtifact> = {}): Promise<ArtifactRecord> => world().stores.artifacts.put(sample(over));
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  it('keeps bytes as they are and what is known of them, across a restart', async () => {
    const record = await put({ mediaType: 'application/octet-stream', bytes: EVERY_BYTE });
    await world().reopen();

    expect(record).toEqual({
      ref: 'release-7/a1b2c3d4e5f6/output',
      correlation: 'release-7',
      runId: 'a1b2c3d4e5f6',
      name: 'output',
      sha256: digest(EVERY_BYTE),
      mediaType: 'application/octet-stream',
      sizeBytes: 512,
      createdAt: '2026-01-02T03:04:05.000Z',
    });
    expect(await world().stores.artifacts.find(record.ref)).toEqual(record);
    expect(Buffer.from((await world().stores.artifacts.read(record.sha256)) ?? []).equals(EVERY_BYTE)).toBe(true);
  });

  it('finds the newest version by a bare ref and each one by its digest', async () => {
    const { artifacts } = world().stores;
    const first = await put();
    const second = await put({ bytes: Buffer.from('another draft') });

    expect(await artifacts.find(first.ref)).toEqual(second);
    for (const chars of [12, 40, 64]) {
      expect(await artifacts.find(`${first.ref}#${first.sha256.slice(0, chars)}`)).toEqual(first);
      expect(await artifacts.find(`${first.ref}#${second.sha256.slice(0, chars)}`)).toEqual(second);
    }
    expect(await artifacts.find(`${first.ref}#${'0'.repeat(12)}`)).toBeNull();
  });

  it('changes nothing when the same is put again: an older version does not become the newest', async () => {
    const first = await put();
    await world().elapse(1000);
    const second = await put({ bytes: Buffer.from('another draft') });
    await world().elapse(1000);

    expect(await put({ mediaType: 'text/markdown' })).toEqual(first);
    expect(await world().stores.artifacts.find(first.ref)).toEqual(second);
    expect(await world().stores.artifacts.list({ limit: 10 })).toEqual([second, first]);
  });

  it('keeps the same bytes once for many refs, also when they are put at once', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `part-${n}`);

    const records = await Promise.all([...names, ...names].map((name) => put({ name })));

    expect(new Set(records.map((record) => record.sha256))).toEqual(new Set([digest(Buffer.from('a draft'))]));
    expect((await world().stores.artifacts.list({ limit: 100 })).map((record) => record.name).sort()).toEqual(names);
  });

  it('takes the run for the correlation where there is none, and encodes what people choose', async () => {
    const strange = 'a/b %# \u0000\u001b[31m é 🙂';

    const records = [await put({ correlation: '' }), await put({ correlation: strange, name: strange })];

    expect(records[0]?.ref).toBe('a1b2c3d4e5f6/a1b2c3d4e5f6/output');
    expect(records[1]).toMatchObject({ correlation: strange, name: strange });
    for (const record of records) expect(await world().stores.artifacts.find(record.ref)).toEqual(record);
    expect(await world().stores.artifacts.list({ correlation: strange, limit: 10 })).toEqual([records[1]]);
  });

  it('takes names of any length', async () => {
    const long = 'x'.repeat(20_000);
    const record = await put({ correlation: long, name: `${long}/${long}` });

    expect(await world().stores.artifacts.find(record.ref)).toEqual(record);
    expect(await world().stores.artifacts.list({ correlation: long, limit: 1 })).toEqual([record]);
  });

  it('refuses an artifact of no run or without a name, and keeps nothing of it', async () => {
    for (const over of [{ runId: '' }, { name: '' }])
      await expect(put(over)).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    expect(await world().stores.artifacts.list({ limit: 10 })).toEqual([]);
  });

  it('lists newest first, by correlation, by run, by both, and no more than asked for', async () => {
    const [a, b, c] = [await put(), await put({ runId: 'b1', name: 'x' }), await put({ correlation: 'other' })];
    const { artifacts } = world().stores;

    expect(await artifacts.list({ limit: 10 })).toEqual([c, b, a]);
    expect(await artifacts.list({ limit: 2 })).toEqual([c, b]);
    expect(await artifacts.list({ correlation: 'release-7', limit: 10 })).toEqual([b, a]);
    expect(await artifacts.list({ runId: 'a1b2c3d4e5f6', limit: 10 })).toEqual([c, a]);
    expect(await artifacts.list({ correlation: 'release-7', runId: 'b1', limit: 10 })).toEqual([b]);
    expect(await artifacts.list({ correlation: 'nobody', limit: 10 })).toEqual([]);
  });

  it.each(['', 'x', 'a/b', 'a/b/c/d', '../../etc/passwd', 'a/b/c#zz'])('finds nothing under %j', async (ref) => {
    await put();
    expect(await world().stores.artifacts.find(ref)).toBeNull();
  });

  it.each(['0'.repeat(64), '', '../../etc/passwd'])('reads nothing under %j', async (name) => {
    expect(await world().stores.artifacts.read(name)).toBeNull();
  });

  it('names nothing that is put under a fence which no longer holds', async () => {
    const { stores, ids } = world();
    const { artifacts } = stores;
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
    const fence = fenceOf(job);
    const of = (text: string) => sample({ runId: job.id, bytes: Buffer.from(text) });
    const held = await artifacts.put(of('of the holder'), fence);

    await stores.jobs.release(fence);
    await expect(artifacts.put(of('too late'), fence)).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
    const [again] = await stores.jobs.claim(claimOf({ workerId: 'w2' }));
    expect(again?.id).toBe(job.id);
    for (const stale of [fence, { ...fence, workerId: 'w2' }])
      await expect(artifacts.put(of('too late'), stale)).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });

    expect(await artifacts.find(held.ref)).toEqual(held);
    expect(await artifacts.list({ runId: job.id, limit: 10 })).toEqual([held]);
  });

  it('keeps the bytes of an artifact when the result of a run that named the same is pruned', async () => {
    const { stores, ids, elapse } = world();
    const outcome = { status: 'ok', value: 'x'.repeat(100_000) } as const;
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
    const { sha256 } = await put({ bytes: Buffer.from(JSON.stringify(outcome)) });
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root')), endWrite('root', outcome)]);
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
    const prune = () => stores.runs.prune({ endedBefore: '2030-01-01T00:00:00.000Z', limit: 10 });

    await prune();
    await elapse(2 * DAY_MS);
    await prune();

    expect((await stores.runs.load(job.id))[0]?.prunedAt).toBeDefined();
    expect(await stores.artifacts.read(sha256)).toHaveLength(
      100_000 + JSON.stringify({ ...outcome, value: '' }).length,
    );
  });
}
