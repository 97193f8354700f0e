import { afterEach, describe, expect, it } from 'vitest';
import { type CrashCase, createCrashRoom, type Row } from '../support/crash-case.js';
import { CRASH_STORES } from '../support/crash-database.js';
import { isFull, seed } from '../support/crash-share.js';
import { type StoreProcess, startStoreProcess } from '../support/store-process.js';

const FOR_MS = isFull() ? 60_000 : 4_000;

interface Figures {
  readonly acked: readonly string[];
  readonly ended: readonly { readonly job: string; readonly kind: string }[];
  readonly stops: readonly { readonly job: string; readonly outcome: string }[];
  readonly tookMs: readonly number[];
  readonly loop: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
}

describe.each(CRASH_STORES.filter((store) => store === 'SQLite' || isFull()))(
  'three processes on one store: fifty jobs at once, kit run, kit stop, on %s',
  (store) => {
    const room = createCrashRoom(store);
    const started: StoreProcess[] = [];
    afterEach(() => {
      for (const { child } of started.splice(0)) child.kill('SIGKILL');
      room.dispose();
    });

    it('lose nothing, and a stop is through at once', async () => {
      const one = await room.open();
      const [drain, run, stop] = await work(one);
      const { jobs, events } = await one.sight();
      const logged = new Set(events.map((event) => event.event_id));

      console.log(`three processes on ${store}`);
      report({ drain, run, stop }, jobs);
      for (const { acked } of [drain, run]) expect(acked.filter((id) => !logged.has(id))).toEqual([]);
      expect(
        jobs
          .filter((job) => job.status !== 'completed' && job.status !== 'stopped')
          .map((job) => [job.id, job.status, job.error]),
      ).toEqual([]);
      const onceEach = (status: string) =>
        jobs.filter((job) => job.status === status).map((job): readonly [unknown, number] => [job.id, 1]);
      expect([...countOf(events, 'run.ended')].sort()).toEqual(onceEach('completed').sort());
      expect([...countOf(events, 'run.parked')].sort()).toEqual(onceEach('stopped').sort());
      expect([...drain.ended, ...run.ended].map(({ job, kind }) => `${job} ${kind}`).sort()).toEqual(
        jobs.map((job) => `${job.id} ${job.status}`).sort(),
      );
      checkStops(stop, { jobs, events });
      checkSeq(events);
      expect(stop.tookMs.length).toBeGreaterThan(0);
    }, 180_000);

    async function work(one: CrashCase): Promise<readonly [Figures, Figures, Figures]> {
      const start = async (role: string) => {
        const more = [one.dir, String(FOR_MS), '50', one.storeUrl ?? ''];
        const each = await startStoreProcess('crash-three-process.ts', role, ...more);
        started.push(each);
        return each;
      };
      const processes = await Promise.all([start('drain'), start('run'), start('stop')]);
      await Promise.all(processes.map((each) => each.next()));
      for (const { child } of processes) child.stdin?.end('go\n');
      const [a, b, c] = await Promise.all(processes.map((each) => each.next<Figures>()));
      const rests = await Promise.all(processes.map((each) => each.rest()));
      expect(rests.map(({ code, stderr }) => [code, stderr])).toEqual(processes.map(() => [0, '']));
      if (a === undefined || b === undefined || c === undefined) throw new Error('a process told nothing');
      return [a, b, c];
    }
  },
);

/**
 * A stop that was accepted is in the log once; its run stopped, or had already passed its last
 * boundary.
 */
function checkStops(stop: Figures, seen: { readonly jobs: readonly Row[]; readonly events: readonly Row[] }): void {
  const accepted = stop.stops.filter(({ outcome }) => outcome !== 'finished').map(({ job }) => job);
  expect([...countOf(seen.events, 'run.stopped')].sort()).toEqual(accepted.map((job) => [job, 1]).sort());
  const stopped = seen.jobs.filter((job) => job.status === 'stopped').map((job) => job.id);
  expect(stopped.filter((id) => !accepted.includes(String(id)))).toEqual([]);
}

function checkSeq(events: readonly Row[]): void {
  const last = new Map<unknown, number>();
  for (const event of events) {
    expect(event.seq).toBe((last.get(event.job_id) ?? 0) + 1);
    last.set(event.job_id, Number(event.seq));
  }
}

function countOf(events: readonly Row[], type: string): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const event of events) if (event.type === type) counts.set(event.job_id, (counts.get(event.job_id) ?? 0) + 1);
  return counts;
}

function report(of: Readonly<Record<'drain' | 'run' | 'stop', Figures>>, jobs: readonly Row[]): void {
  const took = of.stop.tookMs.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0);
  const stopped = jobs.filter((job) => job.status === 'stopped').length;
  console.log(
    `three processes: ${FOR_MS / 1000} s, ${jobs.length} runs, ${stopped} stopped, seed ${seed()}; stop p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms of ${took.length}`,
  );
  for (const role of ['drain', 'run', 'stop'] as const) {
    const { p50Ms, p99Ms, maxMs } = of[role].loop;
    console.log(
      `three processes: event loop of ${role}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${maxMs.toFixed(1)} ms`,
    );
  }
}
