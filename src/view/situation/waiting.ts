import type { ReviewItem } from '../../domain/gates.js';
import type { GateActor, GateDetails } from '../gate-details.js';
import { type Actor, AUTHOR, logsOf, resumeOf, type Situation, type SituationFacts, submitter } from './situation.js';

/**
 * What a parked run waits for. The first thing that somebody can do something about is what is
 * told.
 */
export function deferredSituation(facts: SituationFacts): Situation {
  const { job, gates, items, isWaiting, autoResume, readers } = facts;
  if (!isWaiting) return decided(facts, autoResume);
  const [item] = items;
  if (item !== undefined) return itemSituation(facts, item);
  const open = gates.filter((gate) => !gate.resolved && !gate.withdrawn);
  const tasks = open.flatMap((gate) => gate.actors.map((actor) => ({ gate, actor })));
  const own = tasks.find(({ actor }) => actor.members.some((member) => readers.includes(member)));
  const actable = own ?? tasks.find(({ actor }) => actor.members.length > 0);
  if (actable !== undefined) return signature(actable.gate, actable.actor, readers);
  const [gate] = open;
  if (gate !== undefined) return stuck(gate);
  return {
    code: 'waiting.unknown',
    cause: `the run waits for ${job.waitingOn.join(', ')}, and the log has nothing about it`,
    actors: [submitter(job)],
    command: resumeOf(job),
    fact: null,
  };
}

function decided({ job }: SituationFacts, autoResume: boolean): Situation {
  const cause = autoResume
    ? 'everything is decided, and nothing has taken the run yet'
    : 'everything is decided, and gates.auto_resume is off';
  return {
    code: autoResume ? 'waiting.taken-up' : 'waiting.resume',
    cause,
    actors: [submitter(job)],
    command: resumeOf(job),
    fact: null,
  };
}

/** Whoever looks, where they are among those who can; else the first of these. */
const preferred = (names: readonly string[], readers: readonly string[]): string | undefined =>
  names.some((name) => readers.includes(name)) ? readers[0] : names[0];

function signature(
  gate: GateDetails,
  { itemId, role, scope, members }: GateActor,
  readers: readonly string[],
): Situation {
  const item = gate.items.find((one) => one.id === itemId);
  const who = preferred(members, readers) ?? '';
  const [code, why] = signatureCause(gate, item);
  return {
    code,
    cause: `the gate ${gate.gateId} needs a decision of the role ${role} (${scope})${why}`,
    actors: [{ kind: 'person', names: members }],
    command: ['kit', 'review', 'resolve', itemId, '--as', who, '--approve'],
    fact: null,
  };
}

function signatureCause(gate: GateDetails, item: ReviewItem | undefined): readonly [string, string] {
  if (gate.escalatedTo.length > 0)
    return ['waiting.gate-escalated', `; nobody decided in time, so that it went to ${gate.escalatedTo.join(', ')}`];
  if ((item?.reopened ?? 0) > 0)
    return ['waiting.gate-reopened', '; too few different people have signed, so that the task is open again'];
  const isRework = gate.round > 0;
  const round = isRework ? `; this is round ${gate.round}, after changes were asked for` : '';
  if (gate.distinctApprovers.length > 0) return ['waiting.gate-next-role', `; others have signed${round}`];
  if (gate.evidence.escalated)
    return ['waiting.gate-after-retries', `; the automated layers sent every draft back${round}`];
  return isRework ? ['waiting.gate-rework', round] : ['waiting.gate', ''];
}

function stuck(gate: GateDetails): Situation {
  return {
    code: 'waiting.gate-nobody',
    cause: `the gate ${gate.gateId} waits, and nobody can complete it: ${gate.stuck.join('; ')}`,
    actors: [AUTHOR],
    command: ['kit', 'review', 'gate', gate.gateId],
    fact: `a member for ${gate.outstanding.join(', ')} in the role registry`,
  };
}

const ANYBODY: Actor = { kind: 'person', names: [] };

function itemSituation({ job, approvers, readers }: SituationFacts, item: ReviewItem): Situation {
  const base = { actors: [ANYBODY], fact: null };
  const asked = item.question ?? item.reason;
  switch (item.kind) {
    case 'permission': {
      const first = preferred(approvers, readers);
      return {
        ...base,
        actors: [{ kind: 'person', names: approvers }],
        code: 'waiting.permission',
        cause: `a call waits to be allowed: ${asked}`,
        command: ['kit', 'review', 'approve', item.id, ...(first === undefined ? [] : ['--as', first])],
      };
    }
    case 'input': {
      const [option] = item.options;
      if (option !== undefined)
        return {
          ...base,
          code: 'waiting.choice',
          cause: `a choice is asked for: ${asked}`,
          command: ['kit', 'review', 'answer', item.id, option],
        };
      return {
        ...base,
        code: 'waiting.answer',
        cause: `a question waits: ${asked}`,
        command: ['kit', 'review', 'show', item.id],
        fact: 'the answer',
      };
    }
    case 'other':
      return {
        ...base,
        code: isInDoubt(item) ? 'waiting.in-doubt' : 'waiting.person',
        cause: `a person must settle this: ${asked}`,
        command: ['kit', 'review', 'show', item.id],
        fact: 'the answer',
      };
    case 'role_task':
      return { ...base, code: 'waiting.unknown', cause: `a task waits: ${asked}`, command: logsOf(job) };
  }
}

/** Of a call that was under way when its process died (`on_in_doubt: ask`). */
const isInDoubt = ({ details }: ReviewItem): boolean =>
  typeof details === 'object' && details !== null && 'reason' in details && details.reason === 'in_doubt';
