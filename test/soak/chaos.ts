import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../support/fleet/member.js';
import type { Wire } from '../support/fleet/wire.js';
import { killListed } from '../support/processes.js';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';

/** What is done to the soak, each with its own way back. */
export const DISTURBANCES = [
  'kill worker',
  'kill api',
  'kill backend',
  'kill postmaster',
  'stop worker',
  'cut worker',
] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** What can be disturbed. */
export interface Targets {
  readonly cluster: Cluster;
  readonly database: string;
  readonly api: Member;
  readonly workers: readonly { readonly member: Member; readonly wire: Wire }[];
  readonly leaseMs: number;
}

export interface ChaosOptions {
  readonly targets: Targets;
  readonly random: Random;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly counts: Map<Disturbance, number>;
  readonly tell: (text: string) => void;
}

/**
 * Beyond the lease, so that somebody else has it when the process moves again; sometimes within it.
 */
const WITHIN_TO_BEYOND = [0.5, 1.2, 1.6, 2.2] as const;

/**
 * One disturbance every `everyMs`, by the seed, until `signal`; then everything is set right again
 * before this resolves. A disturbance may last longer than the pause: two at a time are part of it,
 * but never two of one process.
 */
export async function disturb(options: ChaosOptions): Promise<void> {
  const { targets, random, signal } = options;
  const busy = new Set<string>();
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    await sleep(options.everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const kind = random.pick(DISTURBANCES);
    const worker = random.pick(targets.workers);
    const share = random.pick(WITHIN_TO_BEYOND);
    const how = random.pick(['reset', 'silence'] as const);
    const downMs = random.between(200, 2_500);
    const nth = random.between(0, 99);
    const victim = victimOf(kind, worker.member.name);
    if (busy.has(victim)) continue;
    busy.add(victim);
    options.counts.set(kind, (options.counts.get(kind) ?? 0) + 1);
    const one = carryOut(options, { kind, worker, share, how, downMs, nth })
      .catch((error: unknown) => options.tell(`${kind} went wrong: ${String(error)}`))
      .finally(() => {
        busy.delete(victim);
        running.delete(one);
      });
    running.add(one);
  }
  await Promise.all(running);
}

const victimOf = (kind: Disturbance, worker: string): string =>
  kind.endsWith('worker') ? worker : kind === 'kill api' ? 'api' : 'postgres';

interface Plan {
  readonly kind: Disturbance;
  readonly worker: Targets['workers'][number];
  readonly share: number;
  readonly how: 'reset' | 'silence';
  readonly downMs: number;
  /** Which of the backends, counted around. */
  readonly nth: number;
}

async function carryOut(
  { targets, signal, tell: report }: ChaosOptions,
  { kind, worker, share, how, downMs, nth }: Plan,
): Promise<void> {
  const { member, wire } = worker;
  const lastsMs = Math.round(targets.leaseMs * share);
  // What ends the soak ends the waiting, never the way back.
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  switch (kind) {
    case 'kill worker':
    case 'kill api': {
      const victim = kind === 'kill api' ? targets.api : member;
      report(`kill -9 of ${victim.name}, down for ${downMs} ms`);
      await victim.kill();
      await wait(downMs);
      victim.start();
      return;
    }
    case 'kill backend': {
      const pids = await targets.cluster.backends(targets.database);
      const pid = pids[nth % Math.max(1, pids.length)];
      report(`kill -9 of backend ${pid ?? '(none)'}`);
      if (pid !== undefined) killListed(pid);
      return;
    }
    case 'kill postmaster':
      report(`kill -9 of the postmaster, down for ${downMs} ms`);
      await targets.cluster.kill();
      await wait(downMs);
      await targets.cluster.start();
      return;
    case 'stop worker':
      report(`SIGSTOP of ${member.name} for ${lastsMs} ms`);
      member.signal('SIGSTOP');
      await wait(lastsMs);
      member.signal('SIGCONT');
      return;
    case 'cut worker':
      report(`${member.name} is cut off for ${lastsMs} ms (${how})`);
      wire.cut(how);
      await wait(lastsMs);
      wire.heal();
      return;
  }
}
