import type { StepRow } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { identityDigest } from '../derive.js';
import { toolIdentity } from '../skills/mcp-tool.js';
import { isToolSkill } from '../skills/tool-facts.js';

/** A call of an earlier launch whose answer its program may never have had. */
export interface LeftCall {
  /** Key of its turn: the call and all below it hang there. */
  readonly turn: string;
  readonly name: string;
  /** Digest of what was called, as the row has it. */
  readonly identity: string;
  /** It has no end: nobody knows whether it took effect. */
  readonly isOpen: boolean;
}

/** What a gateway finds of itself in the journal. */
export interface Past {
  /** First number that no call of the draft has. */
  readonly next: number;
  /** Skills that returned, for the order that its agent declares. */
  readonly satisfied: readonly string[];
  readonly left: readonly LeftCall[];
}

/** `<draft>/s<launch>/g<call>/c0:<name>`, and nothing below. */
const CALL = /^\/s(\d+)\/g(\d+)\/c0:([^/]+)$/;
const TURN = /^\/s(\d+)\/g(\d+)\//;

/**
 * Reads the calls of the launches before from the rows of a draft. Where the last launch died, its
 * open calls are left, and of those that have an end whatever may have changed something while
 * nothing was called after it: its answer may have been lost on the way. One that was followed by
 * another had been read.
 */
export function readPast(rows: Iterable<StepRow>, of: { readonly draft: string; readonly hasDied: boolean }): Past {
  let next = 0;
  const calls: { readonly row: StepRow; readonly turn: string; readonly name: string }[] = [];
  for (const row of rows) {
    if (!row.key.startsWith(`${of.draft}/s`)) continue;
    const below = row.key.slice(of.draft.length);
    const number = Number(TURN.exec(below)?.[2] ?? Number.NaN);
    if (Number.isNaN(number)) continue;
    next = Math.max(next, number + 1);
    const [, launch, , name] = CALL.exec(below) ?? [];
    if (launch !== undefined && name !== undefined)
      calls.push({ row, turn: `${of.draft}/s${launch}/g${number}`, name: decodeURIComponent(name) });
  }
  const satisfied = calls.flatMap(({ row, name }) => (row.outcome?.status === 'ok' ? [name] : []));
  const lastStart = calls.reduce((last, { row }) => (row.startedAt > last ? row.startedAt : last), '');
  const isLeft = ({ row }: { readonly row: StepRow }): boolean =>
    row.outcome === null || (changes(row) && row.endedAt !== null && row.endedAt >= lastStart);
  const left = of.hasDied
    ? calls
        .filter(isLeft)
        .map(({ row, turn, name }) => ({ turn, name, identity: row.identity, isOpen: row.outcome === null }))
    : [];
  return { next, satisfied, left };
}

const changes = ({ effects }: StepRow): boolean => effects !== 'read' && effects !== 'none';

/** Whether a call is the one that was left, with the arguments that it had. */
export function isSameCall(left: LeftCall, skill: LinkedSkill, input: JsonObject): boolean {
  if (left.name !== skill.id) return false;
  const identity = isToolSkill(skill) ? toolIdentity(skill, input) : { skill: skill.id, input };
  return ['tool', 'skill'].some((kind) => identityDigest(kind, identity) === left.identity);
}
