import type { ExecutorEvent } from '@kit-run/kit/plugin';
import type { MappedEvent } from './mapped-event.js';
import { foldUsage, NO_USAGE, type UsageFold } from './usage.js';

type ResultEvent = Extract<MappedEvent, { type: 'result' }>;

/** A call that the harness would have needed a permission for. */
export interface Refused {
  /** Of the call; null = the stream does not say. */
  readonly id: string | null;
  readonly capability: string;
  /** Its arguments, or why it was wanted; '' = the stream does not say. */
  readonly rationale: string;
}

/** What is known of a running harness; a fold over its lines. */
export interface HarnessState {
  readonly sessionId: string | null;
  /** Turns of the harness's own model, as far as its stream shows them. */
  readonly turns: number;
  readonly inTurn: boolean;
  /** Calls that began and did not end: id -> tool. While one is open, silence is work. */
  readonly openCalls: Readonly<Record<string, string>>;
  /** Pieces of a message that is still being written. */
  readonly pending: { readonly role: string; readonly text: string } | null;
  readonly lastAnswer: string | null;
  readonly usage: UsageFold;
  readonly approvals: readonly Refused[];
  /** Null = the stream does not say. */
  readonly version: string | null;
  readonly model: string | null;
  readonly questions: readonly string[];
  /** The last one; a stream may hold several and goes on after each. */
  readonly result: ResultEvent | null;
}

export const INITIAL: HarnessState = {
  sessionId: null,
  turns: 0,
  inTurn: false,
  openCalls: {},
  pending: null,
  lastAnswer: null,
  usage: NO_USAGE,
  approvals: [],
  version: null,
  model: null,
  questions: [],
  result: null,
};

export interface Folded {
  readonly state: HarnessState;
  /** To be recorded, in order. */
  readonly events: readonly ExecutorEvent[];
}

/** Ends a message that came in pieces. */
export function flush(state: HarnessState): Folded {
  const { pending } = state;
  if (pending === null) return { state, events: [] };
  const lastAnswer = pending.role === 'assistant' ? pending.text : state.lastAnswer;
  return {
    state: { ...state, pending: null, lastAnswer },
    events: [{ type: 'message', role: pending.role, text: pending.text }],
  };
}

/** A turn begins with the first thing the assistant does after its previous turn's calls ended. */
const beginTurn = (state: HarnessState): HarnessState =>
  state.inTurn ? state : { ...state, inTurn: true, turns: state.turns + 1 };

function foldMessage(state: HarnessState, event: Extract<MappedEvent, { type: 'message' }>): Folded {
  const assistant = event.role === 'assistant';
  const turned = assistant ? beginTurn(state) : { ...state, inTurn: false };
  if (event.delta)
    return {
      state: { ...turned, pending: { role: event.role, text: (turned.pending?.text ?? '') + event.text } },
      events: [],
    };
  const lastAnswer = assistant ? event.text : turned.lastAnswer;
  return { state: { ...turned, lastAnswer }, events: [{ type: 'message', role: event.role, text: event.text }] };
}

function foldCall(state: HarnessState, event: Extract<MappedEvent, { type: 'tool_call' }>): Folded {
  const known = event.id === null ? undefined : state.openCalls[event.id];
  const tool = event.tool ?? known ?? '';
  const ends = known !== undefined && event.status !== '';
  const events: readonly ExecutorEvent[] = [
    {
      type: 'tool_call',
      tool,
      summary: event.summary,
      status: event.status,
      ...(event.id === null ? {} : { id: event.id }),
      ...(ends ? { ends } : {}),
    },
  ];
  if (event.id === null) return { state, events };
  // The end of a call that was open ends the turn; a call that arrives already ended is a turn's
  // only sign of itself.
  const turned = known === undefined ? beginTurn(state) : state;
  if (event.status === '')
    return { state: { ...turned, openCalls: { ...turned.openCalls, [event.id]: tool } }, events };
  const openCalls = Object.fromEntries(Object.entries(turned.openCalls).filter(([id]) => id !== event.id));
  return { state: { ...turned, openCalls, inTurn: false }, events };
}

/** One more event. Pure: what is to be recorded comes back as data. */
export function fold(state: HarnessState, event: MappedEvent): Folded {
  const goesOn = event.type === 'message' && event.delta && state.pending?.role === event.role;
  const flushed = goesOn ? { state, events: [] } : flush(state);
  const next = foldFlushed(flushed.state, event);
  return { state: next.state, events: [...flushed.events, ...next.events] };
}

function foldFlushed(state: HarnessState, event: MappedEvent): Folded {
  switch (event.type) {
    case 'session':
      if (event.sessionId === state.sessionId) return { state, events: [] };
      return {
        state: { ...state, sessionId: event.sessionId },
        events: [{ type: 'session', sessionId: event.sessionId }],
      };
    case 'message':
      return foldMessage(state, event);
    case 'tool_call':
      return foldCall(state, event);
    case 'usage':
      return { state: { ...state, usage: foldUsage(state.usage, event) }, events: [] };
    case 'approval':
      return {
        state: {
          ...state,
          approvals: [...state.approvals, { id: event.id, capability: event.capability, rationale: event.rationale }],
        },
        events: [],
      };
    case 'started':
      return {
        state: { ...state, version: event.version ?? state.version, model: event.model ?? state.model },
        events: [],
      };
    case 'input':
      return { state: { ...state, questions: [...state.questions, event.question] }, events: [] };
    case 'result':
      return { state: { ...state, result: event }, events: [] };
    case 'raw':
      return { state, events: [{ type: 'raw', line: event.line }] };
  }
}
