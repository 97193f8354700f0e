import { type Mark, markedAnswer } from '../marks.js';
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '../sdk/parts.js';

/** What is known of the response to a request, by the request's id. */
export interface RequestEnds {
  /** Its answer is larger than it may be. */
  onTooLarge(id: number): void;
  /** Its response is one message, no stream of them. */
  onWhole(id: number): void;
  /** To be called before the transport is connected. */
  watch(transport: StreamableHTTPClientTransport): void;
}

const idOf = (message: JSONRPCMessage): number | null =>
  'id' in message && typeof message.id === 'number' ? message.id : null;

/**
 * Ends each request with its response: the SDK would wait on for an answer that cannot come any
 * more.
 */
export function createRequestEnds(): RequestEnds {
  const tooLarge = new Set<number>();
  const whole = new Set<number>();
  return {
    onTooLarge: (id) => void tooLarge.add(id),
    onWhole: (id) => void whole.add(id),
    watch: (transport) => {
      // Connecting chains what stands here already.
      transport.onmessage = (message) => {
        const id = 'method' in message ? null : idOf(message);
        if (id !== null) whole.delete(id);
      };
      const send = transport.send.bind(transport);
      const end = (id: number, mark: Mark): void => transport.onmessage?.(markedAnswer(id, mark));
      transport.send = async (message, options) => {
        const id = 'method' in message ? idOf(message) : null;
        if (id === null) return send(message, options);
        try {
          await send(message, {
            ...options,
            onRequestStreamEnd: () => end(id, tooLarge.delete(id) ? 'tooLarge' : 'lost'),
          });
          if (whole.has(id)) end(id, 'malformed');
        } finally {
          whole.delete(id);
        }
      };
    },
  };
}
