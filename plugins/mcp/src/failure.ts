import { KitError } from '@kit-run/kit/plugin';

/** Why a server is not there. */
export type ServerReason =
  | 'settings'
  | 'spawn'
  | 'exited'
  | 'unreachable'
  | 'refused'
  | 'overloaded'
  | 'timeout'
  | 'protocol'
  | 'aborted';

/** Why one call came to nothing. `error`: the server answered with a protocol error. */
export type CallReason =
  | 'timeout'
  | 'aborted'
  | 'too_large'
  | 'malformed'
  | 'error'
  | 'disconnected'
  | 'unreachable'
  | 'overloaded'
  | 'refused';

interface ServerFailureMore {
  readonly stderr?: readonly string[];
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** `stderr` is shown under `--json` and in the message of the run: the caller masks it. */
export function serverFailed(
  server: string,
  reason: ServerReason,
  what: string,
  { stderr = [], hint, data }: ServerFailureMore = {},
): KitError {
  const said = stderr.length === 0 ? '' : `; it wrote: ${stderr.join(' | ')}`;
  return new KitError('KIT_TOOL_SERVER_FAILED', `the tool server ${server} ${what}${said}`, {
    ...(hint === undefined ? {} : { hint }),
    data: { server, reason, stderr, ...data },
  });
}

interface CallFailure {
  readonly server: string;
  readonly tool: string;
  readonly reason: CallReason;
  /** Whether the server may have done it. */
  readonly sent: boolean;
  readonly stderr?: readonly string[];
  /** The server is down or has no room, and may be there later. */
  readonly down?: true;
  /** Code of the server's own protocol error. */
  readonly rpcCode?: number;
}

export function callFailed(what: string, { server, tool, ...facts }: CallFailure): KitError {
  const { stderr = [] } = facts;
  const said = stderr.length === 0 ? '' : `; it wrote: ${stderr.join(' | ')}`;
  return new KitError('KIT_TOOL_CALL_FAILED', `the tool ${tool} of the server ${server} ${what}${said}`, {
    data: { server, tool, ...facts },
  });
}

/**
 * The server, or what stands before it, is down or has no room. 500 is not among them: it is how
 * servers tell of their bugs.
 */
export const isDownStatus = (status: number): boolean => [429, 502, 503, 504].includes(status);

const TAIL_LINES = 8;
const MAX_LINE_CHARS = 500;

/** A frame of a JavaScript stack: where the program is, and not what is wrong with it. */
const FRAME = /^\s{0,16}at /;

/**
 * The last lines that a server wrote on stderr, without the frames of a stack: what people need
 * first when it does not start.
 */
export function lastLines(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd().slice(0, MAX_LINE_CHARS))
    .filter((line) => line !== '');
  const words = lines.filter((line) => !FRAME.test(line));
  return (words.length === 0 ? lines : words).slice(-TAIL_LINES);
}
