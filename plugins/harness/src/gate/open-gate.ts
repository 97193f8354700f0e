import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutorGate, GateAnswer, JsonObject } from '@kit-run/kit/plugin';
import type { OpenTools } from '../gateway/open-tools.js';
import type { MappedEvent } from '../interpret/mapped-event.js';
import { type CallPlace, classify } from './classify.js';
import { type Announced, commandOf, hookEventOf, isRefusedByProgram, settingsOf } from './claude-hook.js';
import { Announcements, type CallReading, codexCallOf, WAITING } from './codex-hook.js';
import type { AdapterGate } from './gate-spec.js';
import type { LaunchSocket, SocketEntry } from './launch-socket.js';

/** The gate of one launch, open while its program runs. */
export interface OpenGate {
  /** Settings file that makes the program ask; '' where it is told otherwise. */
  readonly settings: string;
  /** The hook as one command of a shell; '' where there is none. */
  readonly hook: string;
  /** What kit answered to each call that the program announced, by its id. */
  readonly answers: ReadonlyMap<string, GateAnswer['verdict']>;
  /** Asks about a call that the program announced in its stream. Never rejects. */
  ask(call: Announced): Promise<GateAnswer>;
  /** Notes a call that was refused without having been asked about. */
  refused(callId: string): void;
  /** Whether a call in the stream of a program with a hook is one that kit let through. */
  readonly isAnnounced: HookWords['isAnnounced'];
  /** Settles when the program has been told of a call that ends its session; else never. */
  readonly isOver: Promise<void>;
}

export interface AskerFacts {
  readonly spec: AdapterGate;
  readonly gate: ExecutorGate;
  readonly place: CallPlace;
  /** The session that goes on: people decided about it, and about no other; null = it begins. */
  readonly session: string | null;
  /** Kit's own tools; null: the program has none. */
  readonly tools: OpenTools | null;
}

/** The gate, but for how its program comes to it. */
export type Asker = Omit<OpenGate, 'settings' | 'hook'> & {
  readonly words: HookWords;
  /** Ends the session. */
  over(): void;
};

/** Asks kit about calls, each with what the tables of its adapter say of it. */
export function createAsker({ spec, gate, place, session, tools }: AskerFacts): Asker {
  const answers = new Map<string, GateAnswer['verdict']>();
  const words = hookWords(spec, { place, tools });
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
  const answered = (call: Pick<Announced, 'callId' | 'tool'>, answer: GateAnswer): GateAnswer => {
    answers.set(call.callId, answer.verdict);
    words.note(call, answer.verdict);
    return answer;
  };
  return {
    answers,
    words,
    isOver,
    over,
    isAnnounced: words.isAnnounced,
    refused: (callId) => answers.set(callId, 'deny'),
    ask: async (announced) => {
      const { session: of, paths: _paths, within: _within, ...call } = announced;
      if (session !== null && of !== undefined && of !== session) return answered(call, OTHER_SESSION);
      const named = spec.protocol === 'claude-hook' ? tools?.skillOf(call.tool) : null;
      const skill = call.skill ?? named ?? null;
      const facts =
        skill === null || tools === null
          ? await classify(spec, announced, place).catch(() => null)
          : { ...tools.factsOf(skill), skill };
      const withInput =
        spec.protocol === 'claude-hook' && skill === null
          ? { withInput: (input: JsonObject) => classify(spec, { ...call, input }, place) }
          : {};
      return answered(call, facts === null ? UNREADABLE : await gate.ask({ ...call, ...facts, ...withInput }));
    },
  };
}

const OTHER_SESSION: GateAnswer = {
  verdict: 'deny',
  reason: 'it is a call of another session than the one that goes on',
};
const UNREADABLE: GateAnswer = { verdict: 'deny', reason: 'what the hook was told could not be read' };

/**
 * What the hook of a program is answered. `gone`: it has printed that, and is no more; a session
 * that ends at the call ends then, for a hook that is ended before it has spoken lets the call
 * through.
 */
export async function answerHook(asker: Asker, event: string, gone: Promise<void>): Promise<string> {
  const { answer, isLast } = asker.words.said(await answerTo(asker, event));
  if (isLast) void gone.then(() => asker.over());
  const { verdict: decision } = answer;
  const reason = answer.verdict === 'deny' ? answer.reason : '';
  const input = answer.verdict === 'allow' ? answer.input : undefined;
  return JSON.stringify({ decision, reason, input });
}

async function answerTo(asker: Asker, event: string): Promise<GateAnswer> {
  try {
    const call = await asker.words.callOf(event);
    return call === null ? UNREADABLE : await asker.ask(call);
  } catch {
    return UNREADABLE;
  }
}

/** Writes the settings that make a program ask, for the script that comes to this socket. */
export async function writeSettings(launchSocket: Pick<LaunchSocket, 'folder'>, of: SocketEntry): Promise<string> {
  const text = JSON.stringify(settingsOf(argvOf(of)));
  await writeFile(join(launchSocket.folder, 'settings.json'), text, { mode: 0o600 });
  return join(of.folder, 'settings.json');
}

/** The hook of this socket, for a program that is told of it by its arguments. */
export const hookCommand = (of: SocketEntry): string => commandOf(argvOf(of));

const argvOf = ({ node, script, file }: SocketEntry): readonly string[] => [node, script, file];

/** The end or the beginning of a call, as the stream reports it. */
type StreamedCall = Extract<MappedEvent, { readonly type: 'tool_call' }>;

/** How the program of one launch speaks with its hook. */
interface HookWords {
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
