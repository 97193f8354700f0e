import type { JsonObject, ServerTool } from '@kit-run/kit/plugin';
import type { Client, Tool } from '../sdk/parts.js';
import { NO_TIMEOUT_MS } from './parts.js';

/** A server whose list never ends is stopped here: more tools than a model could choose from. */
const MAX_PAGES = 100;

// parsed JSON, checked by the SDK to be an object
const plain = (value: unknown): JsonObject => value as JsonObject;

const toolOf = ({ name, description, inputSchema, outputSchema, annotations }: Tool): ServerTool => ({
  name,
  description: description ?? '',
  inputSchema: plain(inputSchema),
  outputSchema: outputSchema === undefined ? null : plain(outputSchema),
  hints: {
    readOnly: annotations?.readOnlyHint ?? null,
    destructive: annotations?.destructiveHint ?? null,
    idempotent: annotations?.idempotentHint ?? null,
  },
});

/**
 * All tools of a server, page by page; [] for one that offers none. Of two with one name the first
 * counts.
 */
export async function listTools(client: Client, signal: AbortSignal): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const found = new Map<string, ServerTool>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { signal, timeout: NO_TIMEOUT_MS });
    for (const tool of answer.tools) if (!found.has(tool.name)) found.set(tool.name, toolOf(tool));
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) return [...found.values()];
    cursor = answer.nextCursor;
  }
  return [...found.values()];
}
