import type { ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import { isMember, personOf } from '../../govern/approval/people.js';
import { signedDiff } from '../../govern/approval/signed-diff.js';
import type { ReviewRequest } from '../../view/asked.js';
import { artifactText } from './artifact-text.js';
import type { Asking } from './asking.js';
import { stateOf } from './decide.js';
import { findItem, unknownItem } from './find-item.js';
import { gateDetails } from './gate-details-of.js';
import type { InboxItem, InboxPage, InboxQuery, InboxRow } from './review-app.js';
import { roundOf, statesOf } from './review-states.js';

/** What reading an inbox needs of the world. */
export interface InboxDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly roles: RoleDirectory;
  readonly asking: Asking;
}

/** What people of other systems decide, at most 100. */
export async function elsewhereOf({ remoteWaits }: Pick<Stores, 'remoteWaits'>): Promise<readonly GateElsewhere[]> {
  const { gatesElsewhere } = await import('../../worker/remote/gates-elsewhere.js');
  return gatesElsewhere(remoteWaits);
}

/** Whose inbox it is, and under which name. */
interface Reader {
  readonly identity: string;
  readonly person: string;
}

const readerOf = (roles: RoleDirectory, identity: string): Reader => ({ identity, person: personOf(roles, identity) });

/** Ids of the roles that the registry gives a person. */
export function rolesOf(roles: RoleDirectory, identity: string): readonly string[] {
  const { person } = readerOf(roles, identity);
  return roles.roles.filter((role) => isMember(roles, role, person)).map((role) => role.id);
}

/** See `ReviewApp.inbox`. Reads the reviews of the runs on the page, never those of all runs. */
export async function readInbox(deps: InboxDeps, query: InboxQuery): Promise<InboxPage> {
  const { stores, roles, clock } = deps;
  const own = rolesOf(roles, query.identity);
  const page = await stores.reviews.items({
    show: 'pending',
    roles: own,
    limit: query.limit,
    ...(query.afterId === null ? {} : { afterId: query.afterId }),
  });
  const states = await statesOf(stores, page.items);
  const rows = await Promise.all(page.items.map((item) => rowOf(deps, { state: states.get(item.jobId), item })));
  const now = [...states.values()][0]?.now ?? new Date(clock.now()).toISOString();
  return {
    identity: query.identity,
    roles: own,
    rows: rows.filter((row) => row !== null),
    total: page.total,
    hasMore: page.hasMore,
    elsewhere: query.afterId === null ? await elsewhereOf(stores) : [],
    now,
  };
}

/** See `ReviewApp.inboxItem`. */
export async function readInboxItem(
  deps: InboxDeps,
  ask: { readonly identity: string; readonly item: string },
): Promise<InboxItem> {
  const { stores, roles } = deps;
  const item = await findItem(stores.reviews, ask.item);
  const [state, job] = await Promise.all([stateOf(stores, item.jobId), stores.jobs.get(item.jobId)]);
  if (job === null) throw unknownItem(ask.item);
  const reader = readerOf(roles, ask.identity);
  const round = roundOf(state, item);
  const asked = await deps.asking.whole({ state, item, round });
  if (asked === null) throw unknownItem(ask.item);
  const artifact = round === null ? null : await artifactText(stores, round);
  const diffSha256 = round?.evidence.diffSha256 ?? null;
  return {
    item,
    asked,
    gate: gateMarks(state, item),
    job,
    details: item.gateId === null ? null : gateDetails(state, item.gateId, roles),
    artifact,
    harnessDiff: diffSha256 === null || artifact?.text == null ? null : signedDiff(artifact.text, diffSha256),
    previous: await previousOf(deps, { state, item, reader }),
  };
}

interface Looked {
  readonly state: ReviewState;
  readonly item: ReviewItem;
  readonly reader: Reader;
}

/** Of an item whose run is gone there is nothing to show. */
async function rowOf(
  { asking }: InboxDeps,
  { state, item }: { readonly state: ReviewState | undefined; readonly item: ReviewItem },
): Promise<InboxRow | null> {
  const asked: ReviewRequest | null =
    state === undefined ? null : await asking.inList({ state, item, round: roundOf(state, item) });
  return state === undefined || asked === null ? null : { item, asked, gate: gateMarks(state, item) };
}

function gateMarks(state: ReviewState, item: ReviewItem): InboxRow['gate'] {
  const round = roundOf(state, item);
  if (round === null) return null;
  return {
    expiresAt: round.expiresAt,
    escalated: item.escalated || round.evidence.escalated,
    judgeScore: round.evidence.judge?.confidence ?? null,
  };
}

/** The last decision of this person about another artifact of the gate: what they know of it. */
async function previousOf({ stores }: InboxDeps, { state, item, reader }: Looked): Promise<InboxItem['previous']> {
  const rounds = state.gates.filter((gate) => gate.gateId === item.gateId);
  const decision = state.decisions.findLast(
    (made) =>
      made.gateId === item.gateId &&
      made.person === reader.person &&
      made.carriedFrom === null &&
      made.round < item.round,
  );
  const round = rounds.find((gate) => gate.round === decision?.round);
  if (decision === undefined || round === undefined) return null;
  return { decision, artifact: await artifactText(stores, round) };
}
