import { isKitError } from '@kit-run/kit/plugin';
import { type CallReason, isDownStatus } from '../failure.js';
import { NotSent, TooLarge } from '../http/bounded-fetch.js';
import { markOf } from '../marks.js';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '../sdk/parts.js';
import { statusOf } from './connect-http.js';

/** What an error of one call means. */
export interface CallVerdict {
  readonly reason: CallReason;
  readonly what: string;
  readonly sent: boolean;
  /** The session is gone: another one may take the call, when it was not sent. */
  readonly isGone: boolean;
  /** The server is down or has no room, and may be there later. */
  readonly isDown?: true;
  readonly rpcCode?: number;
}

const isDown = true;
const MAX_MESSAGE_CHARS = 500;
const verdict = (reason: CallReason, what: string, sent = true, isGone = false): CallVerdict => ({
  reason,
  what,
  sent,
  isGone,
});

/**
 * 404 = unknown session (MCP 2025-11-25, session management); several servers say 400 and name the
 * session.
 */
function isSessionGone(status: number, error: unknown): boolean {
  if (status === 404) return true;
  return status === 400 && error instanceof SdkHttpError && /session/i.test(String(error.data.text ?? ''));
}

function statusVerdict(status: number, error: unknown): CallVerdict {
  if (status === 401 || status === 403)
    return verdict('refused', `was refused: the server does not take the credentials (status ${status})`, false);
  if (isSessionGone(status, error))
    return verdict('refused', `was refused: the server does not know the session (status ${status})`, false, true);
  if (isDownStatus(status))
    return { ...verdict('overloaded', `was answered with status ${status}`, status !== 429), isDown };
  if (status >= 400 && status < 500) return verdict('refused', `was refused with status ${status}`, false);
  return verdict('disconnected', `was answered with status ${status}`);
}

function protocolVerdict(error: ProtocolError): CallVerdict {
  switch (markOf(error.data)) {
    case 'tooLarge':
      return verdict('too_large', 'answered with more than may be read');
    case 'malformed':
      return verdict('malformed', 'was answered with something that is not an answer');
    case 'lost':
      return { ...verdict('disconnected', 'got no answer: its stream ended'), isDown };
    case null:
      return {
        ...verdict('error', `failed: ${error.message.slice(0, MAX_MESSAGE_CHARS)} (code ${error.code})`),
        rpcCode: error.code,
      };
  }
}

function sdkVerdict(error: SdkError): CallVerdict {
  switch (error.code) {
    case SdkErrorCode.NotConnected:
      return verdict('disconnected', 'was not called: the server has ended', false, true);
    case SdkErrorCode.ConnectionClosed:
      return verdict('disconnected', 'got no answer: the server ended');
    case SdkErrorCode.InvalidResult:
      return verdict('malformed', 'answered with something that is not a result of a tool');
    default:
      return verdict('malformed', 'was answered in a way that the protocol does not know');
  }
}

/**
 * What went wrong with a call that was not stopped; null for an error that has its own code
 * already.
 */
export function judge(error: unknown): CallVerdict | null {
  if (isKitError(error)) return null;
  if (error instanceof NotSent)
    return {
      ...verdict('unreachable', 'was not called: the server cannot be reached', false, true),
      ...(error.isDown ? { isDown } : {}),
    };
  if (error instanceof TooLarge) return verdict('too_large', 'answered with more than may be read');
  const status = statusOf(error);
  if (status !== null) return statusVerdict(status, error);
  if (error instanceof ProtocolError) return protocolVerdict(error);
  if (error instanceof SdkError) return sdkVerdict(error);
  return { ...verdict('disconnected', 'got no answer: the connection broke'), isDown };
}
