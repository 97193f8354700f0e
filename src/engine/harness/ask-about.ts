import type { AgentNode } from '../../domain/agent-node.js';
import { withApprovers } from '../../domain/approvers.js';
import { readPermissions } from '../../domain/harness-call.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { capabilityOf, thresholdOf } from '../../govern/harness/accrual.js';
import { visible } from '../../lib/shell-word.js';
import { MAYBE_MADE } from '../../prompts/harness.js';
import { askPeople, type PersonAnswer } from '../ask-people.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import type { Decided, PermissionRequest } from './launch-value.js';
import type { SessionPlace } from './session-place.js';

const MAX_SUBJECT_CHARS = 200;

interface AskedBy {
  readonly agentId: string;
  /** Key of the launch. */
  readonly key: string;
}

/** The item of one call of a harness: what it would do, where, and what was done so far. */
export function askAboutCall(
  services: RunServices,
  {
    node,
    key,
    round,
    asked,
  }: Pick<AskedBy, 'key'> & { readonly node: AgentNode; readonly round: number; readonly asked: PermissionRequest },
): Promise<StepOutcome<PersonAnswer> | Parked> {
  const { call } = asked;
  const agentId = node.id;
  const subject = call.subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed();
  const details: Json = {
    action: `harness:approve:${call.kind}`,
    tool: call.tool,
    kind: call.kind,
    subject: call.subject,
    input: call.input,
    input_sha256: call.sha256,
    working_directory: asked.worktree,
    // Words of a model: nothing of it is kit's.
    rationale: { said_by: 'model', text: asked.rationale },
    diff: asked.diff,
    diff_bytes: asked.diff_bytes,
    worktree_sha256: asked.worktree_sha256,
    exactness: asked.exactness,
    round,
    session: asked.session,
    step: key,
    ...trustOf(node, asked),
  };
  return askPeople(services, {
    key: `${key}/permission`,
    kind: 'permission',
    agentId,
    skillId: null,
    reason: call.reason,
    question: `May ${agentId} do this once? ${call.tool}: ${subject} (${call.sha256.slice(0, 16)})`,
    shown: `May ${agentId} do this once? ${call.tool}: ${shownSubject(call)} (${call.sha256.slice(0, 16)})`,
    options: [],
    details: withApprovers(details, call.approvers),
  });
}

/** Nothing of a command that people agree to hides, and they see that there is more of it. */
function shownSubject({ subject }: PermissionRequest['call']): string {
  const lines = subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed().split('\n').map(visible).join('\n');
  const left = subject.length - MAX_SUBJECT_CHARS;
  return left <= 0 ? lines : `${lines}… and ${left} more characters`;
}

/** What an approval counts for; nothing where others than `permissions` want the question. */
function trustOf({ archetype, executor }: AgentNode, { call }: PermissionRequest): JsonObject {
  if (archetype === null || executor.kind !== 'harness' || call.approvers.length > 0) return {};
  const capability = capabilityOf(readPermissions(executor.config) ?? [], call);
  if (capability === null) return {};
  const { trust_threshold: threshold } = executor.config;
  const { kind, match } = capability;
  return { trust: { archetype, kind, match, threshold: thresholdOf(threshold) } };
}

/** Whether a session whose process died goes on, and what of the call that had been granted. */
export type GoOn = { readonly goesOn: false } | { readonly goesOn: true; readonly decided: Decided | null };

const AGAIN = 'make the call again';
const NOT_AGAIN = 'do not make it again';

/**
 * The item of a session whose process died while it was at work. Where the call that people
 * approved had been handed to the program, nobody knows whether it was made: then that is the
 * question, and what is not the clear word is a no.
 */
export async function askAboutDoubt(
  services: RunServices,
  of: AskedBy & { readonly place: SessionPlace; readonly granted: Decided | null },
): Promise<GoOn | Parked> {
  const { agentId, key, place, granted } = of;
  const call = granted?.asked.call ?? null;
  const where = place.worktree === null ? '' : ` Its worktree is ${place.worktree}.`;
  const about =
    call === null
      ? ''
      : `, and it is not known whether ${call.tool} was carried out: ${call.subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed()}`;
  const answered = await askPeople(services, {
    key: `${key}/ask`,
    kind: 'other',
    agentId,
    skillId: null,
    reason: `the process died while the session of ${agentId} was at work`,
    question: `The process died while the session of ${agentId} was at work${about}.${where} Look there. ${
      call === null
        ? 'Approve to let the session go on, or reject to end it.'
        : 'Say whether the session goes on and makes the call again, or reject to end it.'
    }`,
    ...(call === null ? { options: [], isYesOrNo: true } : { options: [AGAIN, NOT_AGAIN] }),
    details: {
      reason: 'in_doubt',
      step: key,
      session: place.session,
      worktree: place.worktree,
      ...(call === null ? {} : { tool: call.tool, input: call.input, input_sha256: call.sha256 }),
    },
  });
  if (isParked(answered)) return answered;
  if (answered.status === 'failed') return { goesOn: false };
  if (granted === null || answered.value.answer === AGAIN) return { goesOn: true, decided: granted };
  return { goesOn: true, decided: { ...granted, answer: 'rejected', comment: MAYBE_MADE } };
}
