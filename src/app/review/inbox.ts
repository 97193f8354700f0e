import type { Door, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import { isMember, personOf } from '../../govern/approval/people.js';
import { resolveItem } from '../../govern/approval/resolve-item.js';
import { isOpen } from '../../govern/approval/rules.js';
import { artifactText, textOf } from './artifact-text.js';
import { stateOf } from './decide.js';
import { findItem, unknownItem } from './find-item.js';
import { gateDetails } from './gate-details-of.js';
import type { InboxItem, InboxPage, InboxQuery, InboxRow } from './review-app.js';

/** What reading an inbox needs of the world. */
export interface InboxDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly roles: RoleDirectory;
  readonly caller: Door;
}

/** Whose inbox it is, and under which name. */
interface Reader {
  readonly identity: string;
  readonly person: string;
}

const readerOf = (roles: RoleDirectory, identity: string): Reader => ({ identity, person: personOf(roles, identity) });

/** See `ReviewApp.inbox`. Reads the reviews of the runs on the page, never those of all runs. */
export async function readInbox(deps: InboxDeps, query: InboxQuery): Promise<InboxPage> {
  const { stores, roles, clock } = deps;
  const reader = readerOf(roles, query.identity);
  const own = roles.roles.filter((role) => isMember(roles, role, reader.person)).map((role) => role.id);
  const page = await stores.reviews.items({
    show: 'pending',
    roles: own,
    limit: query.limit,
    ...(query.afterId === null ? {} : { afterId: query.afterId }),
  });
  const states = new Map<string, ReviewState>();
  for (const jobId of new Set(page.items.map((item) => item.jobId))) states.set(jobId, await stateOf(stores, jobId));
  const rows = page.items.flatMap((item) => {
    const state = states.get(item.jobId);
    return state === undefined ? [] : [rowOf(deps, { state, item, reader })];
  });
  const now = [...states.values()][0]?.now ?? new Date(clock.now()).toISOString();
  return { identity: query.identity, roles: own, rows, total: page.total, hasMore: page.hasMore, now };
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
  const round = state.gates.find((gate) => gate.gateId === item.gateId && gate.round === item.round) ?? null;
  return {
    ...rowOf(deps, { state, item, reader }),
    job,
    details: item.gateId === null ? null : gateDetails(state, item.gateId, roles),
    artifact: round === null ? null : await artifactText(stores, round),
    harnessDiff: round?.evidence.diffSha256 == null ? null : await textAt(stores, round.evidence.diffSha256),
    previous: await previousOf(deps, { state, item, reader }),
  };
}

interface Looked {
  readonly state: ReviewState;
  readonly item: ReviewItem;
  readonly reader: Reader;
}

function rowOf(deps: InboxDeps, { state, item, reader }: Looked): InboxRow {
  const round = state.gates.find((gate) => gate.gateId === item.gateId && gate.round === item.round);
  const gate =
    round === undefined
      ? null
      : {
          expiresAt: round.expiresAt,
          escalated: item.escalated || round.evidence.escalated,
          judgeScore: round.evidence.judge?.confidence ?? null,
        };
  return { item, topology: item.topologyId, gate, blocked: blockedFor(deps, { state, item, reader }) };
}

/** Asks the engine itself, and keeps nothing of the answer: what it would refuse is not offered. */
function blockedFor({ roles, caller }: InboxDeps, { state, item, reader }: Looked): string | null {
  if (item.kind !== 'role_task') return isOpen(item) ? null : `it is ${item.status} already`;
  const asked = {
    itemId: item.id,
    identity: reader.identity,
    outcome: 'approve',
    comment: '',
    ...caller,
    roles,
    newId: () => '',
    sign: null,
  };
  const { result } = resolveItem(state, asked);
  if (result.kind === 'refused') return result.reason;
  return result.unchanged ? 'you have approved it already' : null;
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

async function textAt({ artifacts, blobs }: Stores, sha256: string): Promise<string | null> {
  const bytes = (await artifacts.read(sha256)) ?? (await blobs.get(sha256));
  return bytes === null ? null : textOf(bytes);
}
