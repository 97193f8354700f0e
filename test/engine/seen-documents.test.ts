import { expect, it } from 'vitest';
import type { MessagePart, ModelMessage } from '../../src/domain/ports/model.js';
import { NONE_SEEN, seenIn } from '../../src/engine/seen-documents.js';

const pdf: MessagePart = { type: 'document', mediaType: 'application/pdf', name: 'a.pdf', data: 'JVBERg==' };

/** Messages whose parts say when they are looked at. */
function watched() {
  const looks: number[] = [];
  const message = (place: number, part: MessagePart = { type: 'text', text: 'x' }): ModelMessage => ({
    role: 'user',
    get parts() {
      looks.push(place);
      return [part];
    },
  });
  return { message, looks: () => looks.splice(0) };
}

it('looks at each message once, however often a conversation is sent', () => {
  const { message, looks } = watched();
  const messages = [message(0), message(1)];
  let seen = seenIn(messages, NONE_SEEN);
  expect(looks()).toEqual([0, 1]);

  messages.push(message(2), message(3));
  seen = seenIn(messages, seen);
  expect(looks()).toEqual([2, 3]);
  expect(seen.areThere).toBe(false);

  messages.push(message(4, pdf));
  expect(seenIn(messages, seen).areThere).toBe(true);
});

it('remembers a document, and looks anew where the conversation was made another', () => {
  const { message, looks } = watched();
  const messages = [message(0, pdf), message(1), message(2)];
  const seen = seenIn(messages, NONE_SEEN);
  messages.push(message(3));
  expect(seenIn(messages, seen).areThere).toBe(true);

  looks();
  messages.splice(0, 3, message(4));
  expect(seenIn(messages, seen).areThere).toBe(false);
  expect(looks()).toEqual([4, 3]);
  messages.push(message(5), message(6, pdf));
  expect(seenIn(messages, seen).areThere).toBe(true);
});
