// The engine with one line broken, in ways in which such an engine is broken in earnest. Each must
// be told from the oracle.
import type { Mutant } from './bundle.js';

const COUNTED =
  'decision.gateId === gate.gateId && decision.round === gate.round && decision.sha256 === gate.sha256 && !decision.stale';
const COMPLETED = 'return { rule, needed, completed, satisfied: completed.length >= needed };';
const APPROVERS = 'const approvers = distinctPeople(approvals.map((decision) => decision.person));';
const REOPENED =
  'approvals.findLast((last) =>\n      approvals.some((other) => other.id !== last.id && foldName(other.person) === foldName(last.person)),\n    ) ?? null';
const WHOLE =
  'if (rule.covers === null) return before.sha256 === now.sha256 && before.evidence.diffSha256 === now.evidence.diffSha256;';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a quorum counts people instead of roles',
    file: 'fold.ts',
    from: COMPLETED,
    to: 'return { rule, needed, completed, satisfied: new Set(approvals.filter((own) => own.ruleIndex === index).map((own) => own.person)).size >= needed };',
    foundBy: 'random',
  },
  {
    name: 'one role more than the quorum asks for must sign',
    file: 'fold.ts',
    from: COMPLETED,
    to: COMPLETED.replace('>= needed', '> needed'),
    foundBy: 'random',
  },
  {
    name: 'the floor counts roles instead of people',
    file: 'fold.ts',
    from: APPROVERS,
    to: APPROVERS.replace('decision.person', 'decision.role'),
    foundBy: 'random',
  },
  {
    name: 'the floor counts names instead of people',
    file: 'fold.ts',
    from: APPROVERS,
    to: APPROVERS.replace('decision.person', 'decision.identity'),
    foundBy: 'random',
  },
  {
    name: 'the floor is met by one person less',
    file: 'fold.ts',
    from: 'const floorMet = approvers.length >= (gate.policy.minDistinctApprovers ?? 0);',
    to: 'const floorMet = approvers.length + 1 >= (gate.policy.minDistinctApprovers ?? 0);',
    foundBy: 'random',
  },
  {
    name: 'a rule is satisfied by the signatures of another one',
    file: 'fold.ts',
    from: 'approvals.some((decision) => decision.ruleIndex === index && decision.role === role)',
    to: 'approvals.some((decision) => decision.role === role)',
    foundBy: 'random',
  },
  {
    name: 'one satisfied rule is enough',
    file: 'fold.ts',
    from: 'floorMet && rules.every(',
    to: 'floorMet && rules.some(',
    foundBy: 'random',
  },
  {
    name: 'stale decisions count',
    file: 'fold.ts',
    from: COUNTED,
    to: COUNTED.replace(' && !decision.stale', ''),
    foundBy: 'random',
  },
  {
    name: 'decisions of earlier rounds count',
    file: 'fold.ts',
    from: COUNTED,
    to: 'decision.gateId === gate.gateId && !decision.stale',
    foundBy: 'random',
  },
  {
    name: 'the task completed first opens again',
    file: 'fold.ts',
    from: REOPENED,
    to: REOPENED.replace('findLast', 'find'),
    foundBy: 'random',
  },
  {
    name: 'the task completed last opens again, whoever completed it',
    file: 'fold.ts',
    from: REOPENED,
    to: 'approvals.at(-1) ?? null',
    foundBy: 'random',
  },
  {
    name: 'the author is compared as a name instead of as a person',
    file: 'authors.ts',
    from: 'authors.find((author) => isSamePerson(roles, author.identity, name))',
    to: 'authors.find((author) => author.identity === name)',
    foundBy: 'random',
  },
  {
    name: 'members of any role may sign',
    file: 'admit.ts',
    from: '!isMember(roles, role, person)',
    to: '!holdsAnyRole(roles, person)',
    foundBy: 'random',
  },
  {
    name: 'whoever signed this round may complete the task that opened again',
    file: 'has-signed.ts',
    from: 'if (task.reopened > 0) return',
    to: 'if (task.reopened > 1) return',
    foundBy: 'random',
  },
  {
    name: 'whoever signed an earlier round may not complete the task that opened again',
    file: 'has-signed.ts',
    from: 'decision.round === gate.round &&\n      (isSamePerson(roles, decision.person',
    to: 'decision.round <= gate.round &&\n      (isSamePerson(roles, decision.person',
    foundBy: 'random',
  },
  {
    name: 'a task that is done can be decided anew',
    file: 'admit.ts',
    from: "if (item.status !== 'pending' || (gate.status !== 'pending' && !item.stale)) return 'decided';",
    to: "if (gate.status !== 'pending' && !item.stale) return 'decided';",
    foundBy: 'random',
  },
  {
    name: 'twelve digits of the digest are compared',
    file: 'open-round.ts',
    from: WHOLE,
    to: WHOLE.replaceAll('sha256 ===', 'sha256.slice(0, 12) ===').replace(
      '=== now.sha256 &&',
      '=== now.sha256.slice(0, 12) &&',
    ),
    foundBy: 'random',
  },
  {
    name: 'a rule without covers keeps its approvals',
    file: 'open-round.ts',
    from: WHOLE,
    to: 'if (rule.covers === null) return true;',
    foundBy: 'random',
  },
  {
    name: 'another diff under the same answer keeps approvals',
    file: 'open-round.ts',
    from: WHOLE,
    to: 'if (rule.covers === null) return before.sha256 === now.sha256;',
    foundBy: 'random',
  },
  {
    name: 'requests for changes are kept',
    file: 'open-round.ts',
    from: "decision.outcome === 'approve' && isUntouched",
    to: 'isUntouched',
    foundBy: 'random',
  },
  {
    name: 'decisions cross over from one activation to another',
    file: 'open-round.ts',
    from: 'round.gateId === gate.gateId && round.activation === gate.activation && round.round < gate.round',
    to: 'round.gateId === gate.gateId && round.round < gate.round',
    foundBy: 'random',
  },
  {
    name: 'the next round forgets whom the gate was escalated to',
    file: 'open-round.ts',
    from: 'escalatedTo: roundBefore(state, { gateId, activation, round })?.escalatedTo ?? [],',
    to: 'escalatedTo: [],',
    foundBy: 'random',
  },
  {
    name: 'an approval at the very instant of expiry is in time',
    file: 'admit.ts',
    from: 'Date.parse(at) >= Date.parse(gate.expiresAt)',
    to: 'Date.parse(at) > Date.parse(gate.expiresAt)',
    foundBy: 'random',
  },
  {
    name: 'a gate has one round more',
    file: 'open-round.ts',
    from: 'if (had >= MAX_ROUNDS)',
    to: 'if (had > MAX_ROUNDS)',
    foundBy: 'twenty rounds',
  },
  {
    name: 'a gate waits for people who have signed already',
    file: 'stuck.ts',
    from: '!asksForAnother(state, { gate, task, roles, person })',
    to: '!asksForAnother(state, { gate, task: { reopened: task.reopened - 1 }, roles, person })',
    foundBy: 'random',
  },
  {
    name: 'a policy is proven with signatures instead of people',
    file: 'proof-model.ts',
    from: 'const able = largestMatching(open.map((task) => task.people));',
    to: 'const able = open.length;',
    foundBy: 'satisfiable',
  },
  {
    name: 'deadlocks of two people are not looked for',
    file: 'find-deadlock.ts',
    from: 'if (model.floor < 2)',
    to: 'if (model.floor < 3)',
    foundBy: 'satisfiable',
  },
  {
    name: 'people are asked whose approval leaves one too few others',
    file: 'stuck.ts',
    from: 'mostSigners(after) < floor',
    to: 'mostSigners(after) + 1 < floor',
    foundBy: 'random',
  },
  {
    name: 'people who signed are counted once more for an open task',
    file: 'stuck.ts',
    from: '.filter((person) => !done.has(person))',
    to: '',
    foundBy: 'random',
  },
  {
    name: 'a gate waits for people whose approval leaves too few others',
    file: 'stuck.ts',
    from: '!wouldLeaveTooFew(reach, task.itemId, person)',
    to: 'person !== reach.floor.toString()',
    foundBy: 'random',
  },
];
