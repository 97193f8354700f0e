import type { ResolvedItem } from '../../app/review/decision.js';
import { isWaiting } from '../../domain/job.js';
import { oneLine } from '../../view/lines/words.js';

/** Members of one role that are named. */
const MAX_MEMBERS = 4;

/** What a decision came to and what happens next, in one sentence each. */
export function recordedText({ item, gate, unchanged, reopened, proposed, job }: ResolvedItem): string {
  const role = item.role === null ? '' : ` for ${oneLine(item.role, 60)}`;
  if (unchanged) return `decided before: ${item.status}${role}; nothing changed`;
  const head = `recorded: ${item.status}${role}`;
  if (reopened !== null) return `${head}; too few people signed: ${oneLine(reopened, 200)} is open again`;
  const goesOn = isWaiting(job.status);
  const rule = proposed.length === 0 ? '' : '; a rule is proposed: kit trust list';
  if (gate === null) return `${head}${goesOn ? `; run ${job.id} goes on` : ''}${rule}`;
  switch (gate.status) {
    case 'pending':
      return `${head}; still needed: ${gate.actors.map(actorText).join(', ') || 'nobody can decide the rest'}`;
    case 'approved':
      return `${head}; the gate is approved${goesOn ? ` and run ${job.id} goes on` : ''}`;
    case 'rejected':
      return `${head}; the gate is rejected and run ${job.id} ends`;
    case 'changes-requested':
      return `${head}; the agent works on it again, then you are asked again`;
  }
}

function actorText({ role, members }: { readonly role: string; readonly members: readonly string[] }): string {
  const shown = members.slice(0, MAX_MEMBERS).map((member) => oneLine(member, 60));
  const more = members.length > shown.length ? ` and ${members.length - shown.length} more` : '';
  return `${oneLine(role, 60)} (${shown.join(', ') || 'nobody'}${more})`;
}
