import { type HarnessCall, isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';

/** A call as its program tells of it, without what the tables of its adapter say. */
export interface Announced extends Pick<HarnessCall, 'callId' | 'tool' | 'input' | 'isSubagent' | 'isMade' | 'skill'> {
  /** Files that it says the call is about, besides its input; absent: the input says it all. */
  readonly paths?: readonly string[];
  /** Directory that a command is carried out in, where it is not that of the session. */
  readonly within?: string;
  /** The session that it is a call of; absent: of the one that is spoken with. */
  readonly session?: string;
}

/** The program ends a hook that takes longer; the hook itself answers sooner. */
const HOOK_TIMEOUT_S = 30;
/** A parked session must still be there when people have decided; the default is 30 days. */
const KEEP_SESSIONS_DAYS = 365;

/** One word of a POSIX shell, whatever it holds. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The hook as one command of a shell. */
export const commandOf = (argv: readonly string[]): string => argv.map(quoted).join(' ');

/** Settings that make the program run the hook before each call, and keep its sessions. */
export function settingsOf(argv: readonly string[]): JsonObject {
  const hook = { type: 'command', command: commandOf(argv), timeout: HOOK_TIMEOUT_S };
  return { hooks: { PreToolUse: [{ matcher: '*', hooks: [hook] }] }, cleanupPeriodDays: KEEP_SESSIONS_DAYS };
}

/**
 * Reads what the program told its hook; null where it is not a call that can be told from others.
 */
export function hookEventOf(text: string): Announced | null {
  const event: Json = JSON.parse(text);
  if (!isObject(event)) return null;
  const { tool_name: tool, tool_use_id: callId, tool_input: input, agent_id: agent, session_id: session } = event;
  if (typeof tool !== 'string' || typeof callId !== 'string' || callId === '') return null;
  return {
    ...{ callId, tool, input: isObject(input) ? input : {} },
    isSubagent: agent !== undefined && agent !== null,
    ...(typeof session === 'string' ? { session } : {}),
  };
}

/**
 * True for a call that the program answered by itself without making it: a tool that it does not
 * have, an input that it does not take. No hook is asked about such a call.
 */
export const isRefusedByProgram = (result: string): boolean => result.startsWith('<tool_use_error>');
