import {
  type CallFacts,
  fitsGlob,
  fitsWildcard,
  type HarnessAnswer,
  type HarnessPermission,
} from '../../domain/harness-call.js';

/** What the rules say of a call, and in words why. */
export interface CallVerdict {
  readonly answer: HarnessAnswer;
  readonly reason: string;
  /** An entry says so; absent: none is about the call. */
  readonly byEntry?: true;
}

/**
 * May a harness make this call by itself? An entry that denies comes before one that asks, and that
 * before one that allows, whatever their order. Without an entry: what stays inside the session,
 * and reads and edits inside the worktree, are allowed; everything else is asked, a file that the
 * program itself obeys and a tool that nobody knows included.
 */
export function decideCall(permissions: readonly HarnessPermission[], call: CallFacts): CallVerdict {
  if (call.kind === 'inner') return { answer: 'allow', reason: 'it changes nothing outside the session' };
  if (call.kind === 'question') return { answer: 'ask', reason: 'the model asks people' };
  const fitting = permissions.filter((entry) => entry.kind === call.kind && concerns(entry, call));
  for (const answer of ['deny', 'ask', 'allow'] as const) {
    const entry = fitting.find((one) => one.answer === answer);
    if (entry !== undefined) return { answer, reason: `permissions: ${wordsOf(entry)}`, byEntry: true };
  }
  return byDefault(call);
}

function byDefault({ kind, place }: CallFacts): CallVerdict {
  if (kind === 'unknown') return { answer: 'ask', reason: 'the adapter does not know what this tool does' };
  const isOwn = place === 'inside' || (place === 'control' && kind === 'read');
  if (isOwn && (kind === 'read' || kind === 'edit')) return { answer: 'allow', reason: `${kind} inside the worktree` };
  if (place === 'control') return { answer: 'ask', reason: 'the program itself obeys this file' };
  if (place === 'outside') return { answer: 'ask', reason: `${kind} outside the worktree` };
  return { answer: 'ask', reason: `calls of kind ${kind} are asked about` };
}

/** What several commands, a redirection or a substitution is made with. */
const COMPOUND = /[;&|<>`\n\r]|\$\(/;

/**
 * Whether an entry is about a call. What allows is read narrowly: no command that holds another
 * one, no path outside the worktree unless the entry names it in full, no file that the program
 * obeys.
 */
function concerns({ match, answer }: HarnessPermission, call: CallFacts): boolean {
  if (answer === 'allow' && !canBeAllowed(call, match)) return false;
  if (match === null) return true;
  switch (call.kind) {
    case 'read':
    case 'edit':
      return fitsGlob(match, call.subject);
    case 'execute':
    case 'network':
    case 'mcp':
      return fitsWildcard(match, call.subject);
    case 'inner':
    case 'question':
    case 'unknown':
      return false;
  }
}

function canBeAllowed({ kind, subject, place }: CallFacts, match: string | null): boolean {
  if (kind === 'execute') return !COMPOUND.test(subject);
  if (place === 'control') return kind === 'read';
  if (place === 'outside') return match?.startsWith('/') === true;
  return true;
}

const wordsOf = ({ kind, match, answer }: HarnessPermission): string =>
  match === null ? `${answer} ${kind}` : `${answer} ${kind} ${match}`;
