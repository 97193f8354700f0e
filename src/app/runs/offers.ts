import { isKitError } from '../../domain/errors.js';
import type { PluginHost, PluginReport } from '../../domain/extension-points.js';
import type { Job } from '../../domain/job.js';
import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import { missingNeeds } from '../../domain/missing-needs.js';
import type { Clock } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { adapterDigest, specOf } from '../submit/adapter-trust.js';
import { type ApprovedAdapters, approvedAdapters } from './approved-adapters.js';
import type { RunSession } from './run-session.js';
import { type Looked, lookedIn, type Queue } from './waiting-references.js';

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
