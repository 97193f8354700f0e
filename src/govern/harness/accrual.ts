import { dirname } from 'node:path';
import type { StoredEvent } from '../../domain/events.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import { type CallFacts, HARNESS_KINDS, type HarnessKind, type HarnessPermission } from '../../domain/harness-call.js';
import type { Json } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isObject } from '../../lib/json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { decideCall } from './decide-call.js';

/** Calls that one entry of `permissions` would allow: a kind and its exact match. */
export interface Capability {
  readonly archetype: string;
  readonly kind: HarnessKind;
  readonly match: string;
}

/** Approvals of people that propose a change, as an archetype writes them. */
export const thresholdOf = (written: unknown): number =>
  typeof written === 'number' ? written : DEFAULTS.harness.trust_threshold;

/** As long as the schema of `permissions` lets a match be. */
const MAX_MATCH_CHARS = 1000;

/**
 * What an approval of this call counts for: a whole command, the directory of an edit, a server and
 * its tool. Null where no entry could allow it: another entry asks about it, a command holds
 * others, the program obeys the file.
 */
export function capabilityOf(
  permissions: readonly HarnessPermission[],
  call: CallFacts,
): Omit<Capability, 'archetype'> | null {
  const own = decideCall(permissions, call);
  const kind = HARNESS_KINDS.find((one) => one === call.kind);
  if (kind === undefined || own.answer !== 'ask' || own.byEntry === true) return null;
  const match = kind === 'read' || kind === 'edit' ? folderOf(call.subject) : call.subject;
  if (call.subject.includes('*') || match === '' || match.length > MAX_MATCH_CHARS) return null;
  if (kind === 'mcp' && !/^[^/]+\/[^/]+$/.test(match)) return null;
  return decideCall([...permissions, { kind, match, answer: 'allow' }], call).answer === 'allow'
    ? { kind, match }
    : null;
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '*' : folder === '/' ? '/*' : `${folder}/**`;
}

/** A capability and its threshold, as they stand in the details of an item; null: none do. */
export function countedIn(details: Json): (Capability & { readonly threshold: number }) | null {
  const trust = isObject(details) ? details.trust : undefined;
  if (!isObject(trust)) return null;
  const { archetype, kind: word, match, threshold } = trust;
  const kind = HARNESS_KINDS.find((one) => one === word);
  if (kind === undefined || typeof archetype !== 'string' || typeof match !== 'string') return null;
  return { archetype, kind, match, threshold: thresholdOf(threshold) };
}

/** Where the approvals of one capability stand. */
export interface TrustRow extends Capability {
  /** 12 hex characters, the same for the same capability. */
  readonly id: string;
  readonly threshold: number;
  /** Since it was last counted anew. */
  readonly approvals: number;
  /**
   * `blocked`: a person rejected such a call, and nothing is proposed until it is counted anew;
   * `proposed`: often enough; `applied`: the entry was written.
   */
  readonly state: 'counting' | 'proposed' | 'blocked' | 'applied';
  /** Its proposal was reported. */
  readonly isReported: boolean;
  /** ISO 8601 UTC, of what was last done about it. */
  readonly at: string;
}

export type TrustEvent = Extract<
  StoredEvent,
  { type: 'trust.counted' | 'trust.changeset_proposed' | 'trust.applied' | 'trust.cleared' }
>;
export const TRUST_TYPES = ['trust.counted', 'trust.changeset_proposed', 'trust.applied', 'trust.cleared'] as const;
export const isTrustEvent = (event: StoredEvent): event is TrustEvent =>
  TRUST_TYPES.some((type) => type === event.type);

export const trustId = ({ archetype, kind, match }: Capability): string =>
  sha256Hex(canonicalJson([archetype, kind, match])).slice(0, 12);

/**
 * The counters, as a fold over what the log says of them. One denial resets and blocks; whoever has
 * it counted anew begins at 0.
 */
export function foldTrust(rows: ReadonlyMap<string, TrustRow>, event: TrustEvent): ReadonlyMap<string, TrustRow> {
  const { archetype, kind, match } = event.payload;
  const id = trustId({ archetype, kind, match });
  const none = { approvals: 0, threshold: thresholdOf(undefined), state: 'counting', isReported: false } as const;
  const before = rows.get(id) ?? { id, archetype, kind, match, ...none, at: event.timestamp };
  return new Map(rows).set(id, { ...after(before, event), at: event.timestamp });
}

function after(row: TrustRow, event: TrustEvent): TrustRow {
  switch (event.type) {
    case 'trust.counted': {
      const { threshold } = event.payload;
      if (event.payload.decision === 'rejected') return { ...row, threshold, approvals: 0, state: 'blocked' };
      if (row.state === 'blocked') return { ...row, threshold };
      const approvals = row.approvals + 1;
      return { ...row, threshold, approvals, state: approvals >= threshold ? 'proposed' : 'counting' };
    }
    case 'trust.changeset_proposed':
      return { ...row, isReported: true };
    case 'trust.applied':
      return { ...row, state: 'applied' };
    case 'trust.cleared':
      return { ...row, approvals: 0, state: 'counting', isReported: false };
  }
}
