/** Of one answer of a model server, streamed or whole, after it was unpacked. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A server sent more than any answer holds; the rest is not read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor(maxBytes: number) {
    super(`the answer of the model server is larger than ${maxBytes / (1024 * 1024)} MiB`);
  }
}

/**
 * The same answer, which ends with an error where it grows too large: nobody else bounds it.
 * `onPiece` is called for each piece that comes.
 */
export function boundedAnswer(response: Response, onPiece?: () => void): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        onPiece?.();
        // The error goes both ways: the connection is closed with it.
        if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge(MAX_ANSWER_BYTES);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
