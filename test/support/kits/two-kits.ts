import { isTerminal, type JobStatus } from '../../../src/domain/job.js';
import { gated } from '../../e2e/review/gated-workspace.js';
import { startOidc } from '../components/oidc.js';
import type { CrashStoreName } from '../crash-database.js';
import type { CrashPoint } from '../crash-plan.js';
import { caller } from '../protocols/remote-world.js';
import { CrashKit } from './crash-kits.js';

/** How long a crowded machine may take for one call, with the deaths in it. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 50;

const PEOPLE = 'roles:\n  - { id: qa, members: [bob], scopes: ["release:sign"] }\n';

interface JobRow {
  readonly id: string;
  readonly status: JobStatus;
  readonly output: string | null;
  readonly worker_id: string | null;
}
interface EventRow {
  readonly event_type: string;
  readonly payload: { readonly tool?: string; readonly status?: string };
}

/** Makes kits: `front` of A asks `release` of B, with a token that an OpenID provider signed. */
export async function openTwoKits(store: CrashStoreName) {
  const oidc = await startOidc();
  const token = (clientId: 'alice' | 'bob') => oidc.token({ clientId, ttlSeconds: 3600 });
  const [alice, bob] = [await token('alice'), await token('bob')];
  const server = `server:\n  a2a: { enabled: true }\n  auth: { provider: jwt, config: { issuer: '${oidc.issuer}' } }\n`;
  const filesOfB = gated({ workspace: server, roles: PEOPLE });
  const gate = filesOfB['funnels/sign-off.yaml']?.replace('[qa, ops]', '[qa]') ?? '';
  return {
    makeB: (port = 0) =>
      CrashKit.make({ store, port, token: bob, files: { ...filesOfB, 'funnels/sign-off.yaml': gate }, env: {} }),
    makeA: ({ url }: CrashKit) =>
      CrashKit.make({
        ...{ store, port: 0, token: null, env: { PEER_TOKEN: alice } },
        files: caller(`${url}/.well-known/agent-card.json`, 'release', {
          workspace: 'server: { jobs: { max_concurrent: 1 } }\n',
        }),
      }),
    close: () => oidc.close(),
  };
}

const jobsOf = async (kit: CrashKit): Promise<readonly JobRow[]> =>
  (await kit.ask<readonly JobRow[]>('/jobs?limit=1000')) ?? [];

/**
 * One call from its submit to its end: a kit that has died is started again, whoever got no answer
 * asks again, and bob signs once A holds nothing. What is wrong, in sentences.
 */
export async function carryCall(a: CrashKit, b: CrashKit, key: string): Promise<readonly string[]> {
  const [beforeA, beforeB] = [await idsOf(a), await idsOf(b)];
  const overAt = Date.now() + PATIENCE_MS;
  let id: string | null = null;
  let seen: JobRow | null = null;
  for (let hasWaited = false; Date.now() < overAt; ) {
    for (const kit of [a, b]) if (!kit.isUp) await revive(kit);
    id ??=
      (await a.ask<{ readonly job_id: string }>('/run/front', { input: 'x' }, { 'idempotency-key': key }))?.job_id ??
      null;
    if (id !== null) seen = (await a.ask<JobRow>(`/jobs/${id}`)) ?? seen;
    if (seen !== null && isTerminal(seen.status)) return wrongIn(a, b, { id: seen.id, hasWaited, beforeA, beforeB });
    hasWaited ||= seen?.status === 'running' && seen.worker_id === null;
    if (hasWaited) await signAll(b);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return [`no end in ${PATIENCE_MS / 1000} s: ${JSON.stringify(seen)} ${a.said} ${b.said}`];
}

async function revive(kit: CrashKit): Promise<void> {
  await kit.bury();
  if (!(await kit.start())) throw new Error('a kit that is not to die has died');
}

const idsOf = async (kit: CrashKit): Promise<ReadonlySet<string>> =>
  new Set(kit.isUp ? (await jobsOf(kit)).map(({ id }) => id) : []);

async function signAll(b: CrashKit): Promise<void> {
  const items = await b.ask<readonly { readonly id: string }[]>('/review');
  for (const { id } of items ?? [])
    await b.ask(`/review/${encodeURIComponent(id)}/resolve`, { outcome: 'approve', comment: '' });
}

interface Before {
  readonly id: string;
  readonly hasWaited: boolean;
  readonly beforeA: ReadonlySet<string>;
  readonly beforeB: ReadonlySet<string>;
}

async function wrongIn(a: CrashKit, b: CrashKit, of: Before): Promise<readonly string[]> {
  const [ofA, ofB] = [await jobsOf(a), await jobsOf(b)];
  const [newA, newB] = [ofA.filter(({ id }) => !of.beforeA.has(id)), ofB.filter(({ id }) => !of.beforeB.has(id))];
  const page = await a.ask<{ readonly events: readonly EventRow[] }>(`/jobs/${of.id}/events?limit=1000`);
  const events = page?.events ?? [];
  const results = events.filter(
    ({ event_type: type, payload }) => type === 'skill.executed' && payload.tool === 'desk',
  );
  const reported = events.filter(({ event_type: type }) => type === 'a2a.remote_usage');
  const said: readonly (readonly [boolean, string])[] = [
    [newA.length === 1 && newA[0]?.status === 'completed', `runs on A: ${JSON.stringify(newA)}`],
    [newB.length === 1 && newB[0]?.status === 'completed', `runs on B: ${JSON.stringify(newB)}`],
    [results.length === 1 && results[0]?.payload.status === 'ok', `results on A: ${JSON.stringify(results)}`],
    [reported.length === 1, `usage on A was told ${reported.length} times`],
    [of.hasWaited, 'A never let go of its slot'],
  ];
  return said.flatMap(([isRight, text]) => (isRight ? [] : [text]));
}

/** Rounds of a server that have nothing to do with a run: the first is one like the rest. */
const isRound = ({ name, nth }: CrashPoint): boolean => nth > 1 && /^(serving\.|remote\.hold)/.test(name);

export interface Crashes {
  readonly kits: Awaited<ReturnType<typeof openTwoKits>>;
  readonly points: readonly CrashPoint[];
  /** Calls under way at once, each between kits of its own. */
  readonly lanes: number;
}

export interface CrashTally {
  readonly calls: number;
  /** Calls in which the process died where it was to: another one was faster. */
  readonly deaths: number;
  readonly violations: readonly string[];
}

/** One call whose process nobody kills, and the fault points of either kit. */
export async function referenceCall(kits: Crashes['kits']) {
  const b = await kits.makeB();
  await b.start();
  const a = await kits.makeA(b);
  try {
    await a.start();
    const violations = await carryCall(a, b, 'reference');
    const of = (kit: CrashKit): readonly CrashPoint[] => kit.hits().filter((point) => !isRound(point));
    return { violations, ofA: of(a), ofB: of(b) };
  } finally {
    await a.dispose();
    await b.dispose();
  }
}

/** A dies at each point, a new A with a new store for each; B goes on. */
export const crashCallers = (of: Crashes): Promise<CrashTally> =>
  inLanes(of, async (next) => {
    const b = await of.kits.makeB();
    await b.start();
    return {
      each: () => of.kits.makeA(b),
      carry: (a, key) => carryCall(a, b, key),
      next,
      close: () => b.dispose(),
    };
  });

/** B dies at each point, a new B with a new store for each, in the place of the last; A goes on. */
export const crashCallees = (of: Crashes): Promise<CrashTally> =>
  inLanes(of, async (next) => {
    const first = await of.kits.makeB();
    await first.start();
    const port = Number(new URL(first.url).port);
    const a = await of.kits.makeA(first);
    await a.start();
    await first.dispose();
    return {
      each: () => of.kits.makeB(port),
      carry: (b, key) => carryCall(a, b, key),
      next,
      close: () => a.dispose(),
    };
  });

interface Lane {
  /** The kit that is to die. */
  readonly each: () => Promise<CrashKit>;
  readonly carry: (dying: CrashKit, key: string) => Promise<readonly string[]>;
  readonly next: () => CrashPoint | undefined;
  readonly close: () => Promise<void>;
}

async function inLanes({ points, lanes }: Crashes, open: (next: Lane['next']) => Promise<Lane>): Promise<CrashTally> {
  const left = [...points];
  const violations: string[] = [];
  let deaths = 0;
  const run = async (): Promise<void> => {
    const lane = await open(() => left.shift());
    try {
      for (let point = lane.next(); point !== undefined; point = lane.next()) {
        const at = `${point.name} ${point.nth}`;
        const dying = await lane.each();
        try {
          await dying.start(point);
          const wrong = await lane.carry(dying, at.replaceAll(' ', '-'));
          violations.push(...wrong.map((text) => `${at}: ${text.slice(0, 2000)}`));
          deaths += dying.deaths;
        } catch (error) {
          violations.push(`${at}: ${String(error)}`);
        } finally {
          await dying.dispose();
        }
      }
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return { calls: points.length, deaths, violations };
}
