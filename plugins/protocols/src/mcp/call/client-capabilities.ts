import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '../sdk/parts.js';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What a client of the 2026 revision says of itself with each request; JSON, as it came. */
const saidIn = (ctx: ServerContext): Json | undefined =>
  (ctx.mcpReq.envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY];

function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((found, name) => (isObject(found) ? found[name] : undefined), value);
}

/** Whether the client of this request opens addresses for its user. */
export const opensUrls = (ctx: ServerContext): boolean => isObject(member(saidIn(ctx), 'elicitation', 'url'));

/** Whether the client of this request follows tasks. */
export const followsTasks = (ctx: ServerContext): boolean =>
  isObject(member(saidIn(ctx), 'extensions', TASKS_EXTENSION));
