import { KitError } from '../../domain/errors.js';
import { LOCAL_AUTH, type ReviewState, type RoleDirectory } from '../../domain/gates.js';
import { isTerminal } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';
import type { GateDetails } from '../../view/gate-details.js';
import { noRunHere } from '../find-job.js';
import { assertLogIntact } from '../proof/check-log.js';
import { lackingHere } from '../runs/lacking-here.js';
import { artifactText } from './artifact-text.js';
import type { Asking } from './asking.js';
import { askedOfItems, askingFor } from './asking-for.js';
import { answer, decide, stateOf } from './decide.js';
import type { ReviewDeps } from './deps.js';
import { findItem, unknownGate, unknownItem } from './find-item.js';
import { fireDue } from './fire-due.js';
import { gateDetails } from './gate-details-of.js';
import { elsewhereOf, readInbox, readInboxItem, rolesOf } from './inbox.js';
import { gateCalled, itemsCalled, oneToShow } from './named-items.js';
import { orPruned } from './of-pruned-run.js';
import { recordRefusedByScope } from './refused-attempts.js';
import type { InboxQuery, ReviewApp } from './review-app.js';
import { roundOf } from './review-states.js';
import { rolesToShow, shownGate } from './roles-to-show.js';
import { explain, jobOf } from './why.js';

/** Stores of a workspace in which runs whose process died were found dead. */
interface Opener {
  open(workspace: string): Promise<Stores | null>;
  openOr(workspace: string, missing: () => KitError): Promise<Stores>;
}

/** Looking at gates and deciding them, over parts that `boot` hands in. */
export function createReviewApp(deps: ReviewDeps): ReviewApp {
  const open: Opener['open'] = async (workspace) => {
    const stores = await deps.openStores(workspace);
    if (deps.isSwept?.() !== true) await stores?.jobs.sweep(deps.host);
    return stores;
  };
  const openOr: Opener['openOr'] = async (workspace, missing) => {
    const stores = await open(workspace);
    if (stores === null) throw missing();
    return stores;
  };
  const opener = { open, openOr };
  const items = itemUseCases(deps, opener);
  const gates = gateUseCases(deps, opener);
  const inbox = inboxUseCases(deps, opener);
  /** Of what is looked up by a name that somebody has kept: of a link, or in a shell. */
  const kept = <T>(workspace: string, name: string, work: () => Promise<T>): Promise<T> =>
    orPruned(name, () => deps.openStores(workspace), work);
  return {
    ...items,
    ...gates,
    ...inbox,
    show: (ask) => kept(ask.workspace, ask.item, () => items.show(ask)),
    named: (ask) => kept(ask.workspace, ask.what, () => items.named(ask)),
    resolve: (ask) => kept(ask.workspace, ask.item, () => items.resolve(ask)),
    answer: (ask) => kept(ask.workspace, ask.item, () => items.answer(ask)),
    gate: (ask) => kept(ask.workspace, ask.gate, () => gates.gate(ask)),
    inboxItem: (ask) => kept(ask.workspace, ask.item, () => inbox.inboxItem(ask)),
    simulate: async (asked) => {
      const { simulateGates } = await import('./simulate-gates.js');
      return simulateGates(await deps.loadWorkspace(asked.workspace), await deps.readRoles(asked.workspace), asked);
    },
  };
}

function itemUseCases(
  deps: ReviewDeps,
  { open, openOr }: Opener,
): Pick<ReviewApp, 'list' | 'named' | 'rolesOf' | 'people' | 'show' | 'resolve' | 'answer' | 'refusedByScope'> {
  const { ids } = deps;
  const deciding = async ({ workspace, item }: { readonly workspace: string; readonly item: string }) => ({
    stores: await openOr(workspace, () => unknownItem(item)),
    ids,
    readRoles: () => deps.readRoles(workspace),
    mask: await deps.maskOf(workspace),
  });
  return {
    list: async ({ workspace, kind, gate, queue = null, show, limit, afterId, viewer = null, isMine = false }) => {
      const queued = queue === null ? {} : { topologies: queuedTopologies(await deps.loadWorkspace(workspace), queue) };
      const stores = await open(workspace);
      if (stores === null && gate !== null) throw unknownGate(gate);
      if (stores === null && afterId !== null) throw unknownItem(afterId);
      if (stores === null) return { items: [], hasMore: false, total: 0, asked: new Map(), elsewhere: [] };
      await fireDue({ stores, ids });
      const gateId = gate === null ? null : (await gateCalled(stores, gate)).gateId;
      if (afterId !== null) await findItem(stores.reviews, afterId);
      const own = isMine && viewer !== null ? { roles: rolesOf(await deps.readRoles(workspace), viewer.identity) } : {};
      const filter = {
        ...queued,
        ...own,
        ...(kind === null ? {} : { kind }),
        ...(gateId === null ? {} : { gateId }),
        ...(afterId === null ? {} : { afterId }),
      };
      const page = await stores.reviews.items({ ...filter, show, limit });
      const asking = viewer === null ? null : await askingFor(deps, { workspace, stores, viewer });
      const asked = asking === null ? new Map() : await askedOfItems(stores, asking, page.items);
      const isNarrow = [kind, gate, queue, afterId].some((one) => one !== null);
      return { ...page, asked, elsewhere: isNarrow ? [] : await elsewhereOf(stores) };
    },
    named: async ({ workspace, what, viewer }) => {
      const stores = await openOr(workspace, () => unknownItem(what));
      await fireDue({ stores, ids });
      const items = await itemsCalled(stores, what);
      const asking = await askingFor(deps, { workspace, stores, viewer });
      const asked = await askedOfItems(stores, asking, items);
      return { items, hasMore: false, total: items.length, asked, elsewhere: [] };
    },
    rolesOf: async ({ workspace, identity }) => rolesOf(await deps.readRoles(workspace), identity),
    people: async ({ workspace }) => {
      const { roles } = await deps.readRoles(workspace);
      return [...new Set(roles.flatMap(({ members }) => members))];
    },
    show: async ({ workspace, item: id, viewer = null, isWhole = false, withArtifact = false }) => {
      const stores = await openOr(workspace, () => unknownItem(id));
      const { jobId, id: itemId } = await oneToShow(id, await itemsCalled(stores, id), async () =>
        viewer === null ? [] : rolesOf(await deps.readRoles(workspace), viewer.identity),
      );
      await fireDue({ stores, ids }, jobId);
      const [item, job, state] = await Promise.all([
        stores.reviews.item(itemId),
        stores.jobs.get(jobId),
        stateOf(stores, jobId),
      ]);
      if (item === null || job === null) throw unknownItem(id);
      const shown = await rolesToShow(() => deps.readRoles(workspace));
      const asking = viewer === null ? null : await askingFor(deps, { workspace, stores, viewer, shown });
      const asked = (await asking?.whole({ state, item, round: roundOf(state, item) }, { isWhole })) ?? null;
      const round = roundOf(state, item);
      const artifact =
        round === null || !withArtifact ? null : await artifactText(stores, round, await deps.maskOf(workspace));
      if (item.gateId === null) return { item, job, gate: null, asked, artifact };
      return { item, job, gate: shownGate(gateDetails(state, item.gateId, shown.roles), shown), asked, artifact };
    },
    resolve: async (request) => decide({ ...(await deciding(request)), sign: await deps.signer() }, request),
    answer: async (request) => answer({ ...(await deciding(request)), clock: deps.clock }, request),
    refusedByScope: async (attempt) => {
      const stores = await deps.openStores(attempt.workspace);
      if (stores !== null) await recordRefusedByScope({ stores, ids }, attempt);
    },
  };
}

const hasPolicy = ({ gates }: ReviewState, gateId: string): boolean =>
  gates.some((round) => round.gateId === gateId && round.policy.rules.length > 0);

function gateUseCases(deps: ReviewDeps, { openOr }: Opener): Pick<ReviewApp, 'gate' | 'why'> {
  const { ids } = deps;
  return {
    gate: async ({ workspace, gate: name, author, viewer = null, isWhole = false }) => {
      const stores = await openOr(workspace, () => unknownGate(name));
      const { jobId, gateId: id } = await gateCalled(stores, name);
      const job = await stores.jobs.get(jobId);
      if (job === null) throw unknownGate(id);
      // One whose policy is lost is shown as its items stand, and decides nothing.
      if (hasPolicy(await stateOf(stores, jobId), id)) await assertLogIntact(stores, job);
      await fireDue({ stores, ids }, jobId);
      const shown = await rolesToShow(() => deps.readRoles(workspace));
      const state = await stateOf(stores, jobId);
      const details = shownGate(readGate(state, { id, author, roles: shown.roles }), shown);
      const asking = viewer === null ? null : await askingFor(deps, { workspace, stores, viewer, shown });
      const round = roundOf(state, details);
      return { ...details, asked: (await asking?.whole({ state, item: null, round }, { isWhole })) ?? null };
    },
    why: async ({ workspace, what, identity }) => {
      const stores = await openOr(workspace, () => noRunHere(what));
      const { job, gateId } = await jobOf(stores, what);
      await fireDue({ stores, ids }, job.id);
      const now = await jobOf(stores, gateId ?? job.id);
      const lacking = await lackingHere(now.job, (needs) => deps.offers(workspace, needs));
      // Nobody decides anything of a run that is over, whatever the registry says.
      const readRoles = () => deps.readRoles(workspace);
      const roles = isTerminal(now.job.status) ? (await rolesToShow(readRoles)).roles : await readRoles();
      return explain(stores, roles, { ...now, lacking, ...(identity === undefined ? {} : { identity }) });
    },
  };
}

function inboxUseCases(deps: ReviewDeps, { open, openOr }: Opener): Pick<ReviewApp, 'inbox' | 'inboxItem'> {
  const { ids, clock } = deps;
  const askingOf = (
    stores: Stores,
    roles: RoleDirectory,
    {
      workspace,
      identity,
      auth = LOCAL_AUTH,
      refused = null,
    }: Pick<InboxQuery, 'workspace' | 'identity' | 'auth' | 'refused'>,
  ): Promise<Asking> =>
    askingFor(deps, { workspace, stores, viewer: { identity, auth, refused }, shown: { roles, broken: null } });
  return {
    inbox: async (query) => {
      const [stores, roles] = await Promise.all([open(query.workspace), deps.readRoles(query.workspace)]);
      if (stores === null) {
        const now = new Date(clock.now()).toISOString();
        return { identity: query.identity, roles: [], rows: [], total: 0, hasMore: false, elsewhere: [], now };
      }
      await fireDue({ stores, ids });
      return readInbox({ stores, clock, roles, asking: await askingOf(stores, roles, query) }, query);
    },
    inboxItem: async ({ item, ...query }) => {
      const { workspace, identity } = query;
      const stores = await openOr(workspace, () => unknownItem(item));
      const [found, roles] = await Promise.all([findItem(stores.reviews, item), deps.readRoles(workspace)]);
      await fireDue({ stores, ids }, found.jobId);
      const asking = await askingOf(stores, roles, query);
      return readInboxItem({ stores, clock, roles, asking }, { identity, item: found.id });
    },
  };
}

/** `author` changes what is shown, never what is decided (docs/design/decisions.md#submitter). */
function readGate(
  state: ReviewState,
  ask: { readonly id: string; readonly author: string | null; readonly roles: RoleDirectory },
): GateDetails {
  const submittedBy = ask.author === null ? state.job.submittedBy : { ...state.job.submittedBy, identity: ask.author };
  const details = gateDetails({ ...state, job: { ...state.job, submittedBy } }, ask.id, ask.roles);
  if (details === null) throw unknownGate(ask.id);
  return details;
}

/**
 * Names of the topologies that name a review queue (`artifacts.review_queues`). Throws KIT_USAGE
 * for one that none names.
 */
function queuedTopologies({ topologies }: Pick<Workspace, 'topologies'>, queue: string): readonly string[] {
  const all = [...topologies.values()];
  const names = all.filter(({ reviewQueues }) => reviewQueues.includes(queue)).map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)];
  const known = [...new Set(all.flatMap(({ reviewQueues }) => reviewQueues))];
  throw new KitError('KIT_USAGE', `no topology names the review queue ${queue}`, {
    hint: hintFor(queue, known, { fallback: 'Add it to `artifacts.review_queues` of a topology.' }),
    data: { queue, known },
  });
}
