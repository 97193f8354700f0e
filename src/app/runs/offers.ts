import { isKitError } from '../../domain/errors.js';
import type { PluginHost, PluginReport } from '../../domain/extension-points.js';
import type { Job } from '../../domain/job.js';
import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import { missingNeeds } from '../../domain/missing-needs.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { adapterDigest, handedVariables, specOf, untrustedAdapters } from '../submit/adapter-trust.js';
import type { RunSession } from './run-session.js';

/** An approval that a person gives, or takes back, holds for claims after this. */
const ASKED_EVERY_MS = 1_000;

/** The adapters that a process offers for claims: id -> digest of the spec. */
interface ApprovedAdapters {
  /** As they were less than a second ago. */
  recent(): Promise<JobOffers['adapters']>;
  /** As they are; `recent` goes by them from now on. */
  anew(): Promise<JobOffers['adapters']>;
}

/**
 * What a server or worker offers: of the adapters only those that its user has approved on its
 * machine, so that it never claims a run which it would have to refuse. Such a run waits for a
 * process that may start it, and the statistics of the queue say what is missing.
 */
function approvedAdapters(
  session: Pick<RunSession, 'workspace' | 'trust'>,
  of: { readonly adapters: JobOffers['adapters']; readonly clock: Pick<Clock, 'now'> },
): ApprovedAdapters {
  const { adapters, clock } = of;
  const variables = handedVariables(session.workspace);
  const started = [...session.workspace.adapters].map(
    ([id, artifact]) => [id, { spec: specOf(artifact), env: variables.get(id) ?? [] }] as const,
  );
  // However a clock was set: an answer that may be old is none.
  let asked: { readonly atMs: number; readonly answer: Promise<JobOffers['adapters']> } | null = null;
  const ask = async (): Promise<JobOffers['adapters']> => {
    const refused = await untrustedAdapters(session.trust, {
      workspace: session.workspace,
      adapters: Object.fromEntries(started),
    });
    const ids = new Set(refused.map(({ id }) => id));
    return Object.fromEntries(Object.entries(adapters).filter(([id]) => !ids.has(id)));
  };
  const anew = (): Promise<JobOffers['adapters']> => {
    asked = { atMs: clock.now(), answer: ask() };
    return asked.answer;
  };
  return {
    anew,
    recent: () => (asked === null || Math.abs(clock.now() - asked.atMs) >= ASKED_EVERY_MS ? anew() : asked.answer),
  };
}

/** Where runs wait. */
type Queue = Pick<Stores, 'serving'>;

/**
 * What runs refer to, each once. Their needs are looked at, not the runs: a process is asked for
 * what somebody needs now, and never for all that it has.
 */
const referencesIn = (needs: readonly JobNeeds[]): readonly string[] => [
  ...new Set(needs.flatMap(({ references }) => Object.keys(references ?? {}))),
];

/** What has to be looked for on this machine: few runs wait with a worktree. */
interface Looked {
  readonly references: readonly string[];
  readonly hasWorktrees: boolean;
  /** What each run needs of plugins. */
  readonly plugins: readonly JobNeeds['plugins'][];
}

const lookedIn = (needs: readonly JobNeeds[]): Looked => ({
  references: referencesIn(needs),
  hasWorktrees: needs.some(({ worktrees }) => worktrees !== undefined),
  plugins: needs.map(({ plugins }) => plugins),
});

/** States in which a plugin can still be used, as far as is known without loading it. */
const USABLE: readonly PluginReport['state'][] = ['registered', 'activating', 'active'];

/**
 * Plugins that can be used now, for a job's `needs` (docs/design/journal.md#engine-and-needs): name
 * -> version.
 */
export function pluginOffers(plugins: Pick<PluginHost, 'report'>): JobOffers['plugins'] {
  const usable = plugins.report().filter((plugin) => USABLE.includes(plugin.state));
  return Object.fromEntries(usable.map((plugin) => [plugin.name, plugin.version]));
}

/** See `JobOffers.pluginsSince`. The files of plugins are read where a run lacks one alone. */
export async function pluginsSince(
  { usableNow }: Partial<Pick<PluginHost, 'usableNow'>>,
  offered: JobOffers['plugins'],
  needs: readonly JobNeeds['plugins'][],
): Promise<Pick<JobOffers, 'pluginsSince'>> {
  const offers = { plugins: offered, adapters: {} };
  const isLacking = needs.some((plugins) => missingNeeds({ plugins, adapters: {} }, offers).length > 0);
  if (!isLacking || usableNow === undefined) return {};
  const now = Object.entries(await usableNow()).filter(([name, version]) => offered[name] !== version);
  return now.length === 0 ? {} : { pluginsSince: Object.fromEntries(now) };
}

/**
 * Adapters as the workspace has them: id -> digest of the spec. They stay as they are for as long
 * as it is open.
 */
export function adapterOffers(workspace: Pick<Workspace, 'adapters'>): JobOffers['adapters'] {
  return Object.fromEntries([...workspace.adapters].map(([id, artifact]) => [id, adapterDigest(specOf(artifact))]));
}

/** What a process offers for the runs of a session. */
export interface SessionOffers {
  /** All that runs need and that is there, approved or not: `kit run` asks before it claims. */
  offers(session: RunSession, needs: readonly JobNeeds[]): Promise<JobOffers>;
  /** The same without adapters that nobody has approved here, for those who only look. */
  metOffers(session: RunSession, needs: readonly JobNeeds[]): Promise<JobOffers>;
  /**
   * What may be claimed from the queue here: adapters that the user of this machine has approved,
   * and what is there of all that waiting runs refer to, as of a second ago.
   */
  approvedOffers(session: RunSession, stores: Queue): Promise<JobOffers>;
  /**
   * Whether a claim from the queue that could not be opened goes back there: an approval was taken
   * back since the claim, and this process does not offer the adapter any more. False for a run
   * that it would claim again at once: one whose needs do not name what its snapshot starts.
   */
  isDeclined(session: RunSession, job: Job, error: unknown): Promise<boolean>;
}

export function createOffers(clock: Pick<Clock, 'now'>): SessionOffers {
  const known = new WeakMap<
    RunSession,
    { readonly adapters: JobOffers['adapters']; readonly approved: ApprovedAdapters }
  >();
  const adaptersOf = (session: RunSession) => {
    const before = known.get(session);
    if (before !== undefined) return before;
    const adapters = adapterOffers(session.workspace);
    const now = { adapters, approved: approvedAdapters(session, { adapters, clock }) };
    known.set(session, now);
    return now;
  };
  return {
    offers: (session, needs) => offersOf(session, adaptersOf(session).adapters, lookedIn(needs)),
    metOffers: async (session, needs) =>
      offersOf(session, await adaptersOf(session).approved.recent(), lookedIn(needs)),
    approvedOffers: async (session, { serving }) => {
      const [adapters, needs] = await Promise.all([adaptersOf(session).approved.recent(), serving.waitingNeeds()]);
      return offersOf(session, adapters, { ...lookedIn(needs), hasWorktrees: true });
    },
    isDeclined: async (session, job, error) => {
      if (!isKitError(error) || error.code !== 'KIT_ADAPTER_UNTRUSTED') return false;
      const adapters = await adaptersOf(session).approved.anew();
      return missingNeeds(job.needs, await offersOf(session, adapters, lookedIn([job.needs]))).length > 0;
    },
  };
}

async function offersOf(
  session: RunSession,
  adapters: JobOffers['adapters'],
  { references, hasWorktrees, plugins: needed }: Looked,
): Promise<JobOffers> {
  const { plugins: host, findReferences } = session.prepare;
  const plugins = pluginOffers(host);
  return {
    ...{ plugins, ...(await pluginsSince(host, plugins, needed)) },
    ...{ adapters, workspace: session.workspace.id },
    references: references.length === 0 ? [] : await findReferences(references),
    worktrees: hasWorktrees ? await session.worktreesHere() : [],
  };
}
