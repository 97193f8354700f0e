import type { MessagePart, ModelProvider, ModelRequest } from '../domain/ports/model.js';
import { documentNotShown } from '../prompts/shortened.js';
import { providerWith } from './provider-with.js';

/**
 * A provider that takes documents, whoever it is: where it does not do so itself its model is told
 * by name what it is not shown. `id`: what agents call it.
 */
export const takingDocuments = (provider: ModelProvider, id: string): ModelProvider =>
  provider.documents === true
    ? provider
    : providerWith(provider, {
        documents: true,
        generate: (request, options) => provider.generate(withNames(request, id), options),
      });

function withNames(request: ModelRequest, provider: string): ModelRequest {
  const named = (part: MessagePart): MessagePart =>
    part.type === 'document'
      ? { type: 'text', text: documentNotShown({ ...part, provider, bytes: sizeOf(part) }) }
      : part;
  return {
    ...request,
    messages: request.messages.map((message) => ({ ...message, parts: message.parts.map(named) })),
  };
}

/** Bytes of base64. */
const sizeOf = ({ data }: { readonly data: string }): number =>
  Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4);
