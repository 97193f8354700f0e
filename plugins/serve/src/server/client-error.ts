import type { Socket } from 'node:net';

type ClientError = Error & { readonly code?: string };

const ANSWERS: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'the headers are larger than the server takes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'the request did not arrive in time'],
};
const HINT = 'Send an HTTP/1.1 request.';
const OTHER = [400, 'Bad Request', 'what was sent is not an HTTP request'] as const;

/**
 * What arrives before there is a request: bytes that are not HTTP, headers without end. The
 * answer is a problem document as well.
 */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, title, detail] = ANSWERS[error.code ?? ''] ?? OTHER;
  const body = JSON.stringify({
    type: 'urn:kit:error:request-malformed',
    title,
    status,
    detail,
    instance: '',
    code: 'request-malformed',
    hint: HINT,
  });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
