import type { GateAnswer } from '@kit-run/kit/plugin';
import type { MappedEvent } from '../interpret/mapped-event.js';
import { type Announced, hookEventOf, isRefusedByProgram } from './claude-hook.js';
import { Announcements, type CallReading, codexCallOf, WAITING } from './codex-hook.js';
import type { AdapterGate } from './gate-spec.js';

/** The end or the beginning of a call, as the stream reports it. */
type StreamedCall = Extract<MappedEvent, { readonly type: 'tool_call' }>;

/** How the program of one launch speaks with its hook. */
export interface HookWords {
  /** The call that a hook reported; null: it cannot be told from others. */
  callOf(event: string): Promise<Announced | null>;
  /** What the hook prints. `isLast`: the session is ended when its program has heard it. */
  said(answer: GateAnswer): { readonly answer: GateAnswer; readonly isLast: boolean };
  /** Called with each call and what kit answered. */
  note(call: Pick<Announced, 'callId' | 'tool'>, verdict: GateAnswer['verdict']): void;
  /** Whether a call in the stream is one that kit was asked about and let through. */
  isAnnounced(call: StreamedCall): boolean;
}

/** Calls have the same id in the hook and in the stream, and one can be put off. */
function claudeWords(): HookWords {
  const known = new Set<string>();
  return {
    callOf: async (event) => hookEventOf(event),
    said: (answer) => ({ answer, isLast: false }),
    note: ({ callId }) => known.add(callId),
    isAnnounced: ({ id, status, summary }) =>
      status === '' || (id !== null && known.has(id)) || (status !== 'ok' && isRefusedByProgram(summary)),
  };
}

/** A hook can say no, and nothing else: a call that waits is refused, and the session ends. */
function codexWords(of: CallReading): HookWords {
  const calls = new Announcements();
  return {
    callOf: (event) => codexCallOf(event, of),
    said: (answer) =>
      answer.verdict === 'defer'
        ? { answer: { verdict: 'deny', reason: WAITING }, isLast: true }
        : { answer, isLast: false },
    note: ({ tool }, verdict) => {
      if (verdict === 'allow') calls.allowed(tool);
    },
    isAnnounced: ({ id, tool }) => calls.isOne(id, tool ?? ''),
  };
}

/** Of a program that speaks ACP nothing comes through a hook: its stream asks. */
export function hookWords({ protocol }: Pick<AdapterGate, 'protocol'>, of: CallReading): HookWords {
  return protocol === 'codex-hook' ? codexWords(of) : claudeWords();
}
