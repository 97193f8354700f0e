import { defineEventSink, type EventSink, type JsonObject, type PluginContext } from '@kit-run/kit/plugin';
import { bodyOf, FORMATS, type Format } from './chat-body.js';
import { messageOf } from './chat-words.js';
import { DEFAULTS } from './generated/defaults.js';
import { outcomeOf } from './outcome-of.js';
import { postJson } from './post.js';

/** Where a channel is, as the schema of the configuration has checked it. */
interface ChatConfig {
  readonly url: string | null;
  /** Entry of `credentials` that holds the address: whoever has it can write into the channel. */
  readonly urlRef: string | null;
  readonly format: Format;
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const decode = ({ url, url_ref: ref, format }: JsonObject): ChatConfig => ({
  url: textIn(url),
  urlRef: textIn(ref),
  format: FORMATS.find((one) => one === format) ?? DEFAULTS.chat.format,
});

const ADDRESS = /^https?:\/\/[^/?#@\s]+([/?][^#\s]*)?$/;

function createChat({ url, urlRef, format }: ChatConfig, context: PluginContext): EventSink {
  return {
    deliver: async (entry, signal, run) => {
      const message = messageOf(entry, run.links);
      if (message === null) return { kind: 'delivered' };
      const address = url ?? (urlRef === null ? '' : await context.secrets.credential(urlRef)).trim();
      if (!ADDRESS.test(address)) return { kind: 'rejected', detail: 'the credential holds no http or https address' };
      const sent = { body: bodyOf(message, format), headers: {}, signal };
      return outcomeOf(await postJson({ url: address, credentialsRef: null }, sent, context));
    },
  };
}

/** Event sink `channel`: what people are asked, as a message with the address to decide at. */
export const contribution = defineEventSink({ create: (config, context) => createChat(decode(config), context) });
