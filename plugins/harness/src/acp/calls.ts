import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';

/** What is known of one call: pieces of it come in several messages, each with what is new. */
export interface AcpCall {
  readonly id: string;
  /**
   * In the words of the protocol: `read`, `edit`, `execute`, ...; `other` where nothing is said.
   */
  readonly kind: string;
  readonly status: string;
  /** As the program will carry it out; null: it does not say. */
  readonly input: JsonObject | null;
  /** Files that it says it is about. */
  readonly paths: readonly string[];
  /** Words of the program or of its model: never what people decide by. */
  readonly title: string;
  /**
   * Of a tool of a server, its name: as its program says beside the call, else what the call was
   * called when it was first told of.
   */
  readonly name: string;
  /** The name of the tool, as its program says beside the call; null: it does not say. */
  readonly tool: string | null;
}

/** Longest id of a call that is taken; calls of a longer one are told from no other. */
const MAX_ID_CHARS = 500;
/** Files of one call that are looked at; more are as good as none that can be told. */
const MAX_PATHS = 100;

/** A call with what this message says of it; null where it names none. */
export function callIn(message: Json | undefined, known: ReadonlyMap<string, AcpCall>): AcpCall | null {
  if (!isObject(message)) return null;
  const { toolCallId: id, kind, status, rawInput, title } = message;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARS) return null;
  const before = known.get(id);
  const isReported = Array.isArray(message.locations) || Array.isArray(message.content);
  const meta = isObject(message._meta) ? message._meta.toolName : undefined;
  const tool = typeof meta === 'string' && meta.length <= MAX_ID_CHARS ? meta : (before?.tool ?? null);
  const reported = [...pathsIn(message.locations, 'path'), ...diffsIn(message.content)];
  return {
    id,
    kind: typeof kind === 'string' ? kind : (before?.kind ?? 'other'),
    status: typeof status === 'string' ? status : (before?.status ?? 'pending'),
    input: isObject(rawInput) && Object.keys(rawInput).length > 0 ? rawInput : (before?.input ?? null),
    paths: [...new Set(isReported ? reported : (before?.paths ?? []))].slice(0, MAX_PATHS),
    title: typeof title === 'string' ? title : (before?.title ?? ''),
    tool,
    name: tool ?? before?.name ?? (typeof title === 'string' ? title : ''),
  };
}

function pathsIn(list: Json | undefined, key: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: Json) => {
    const path = isObject(entry) ? entry[key] : undefined;
    return typeof path === 'string' && path !== '' ? [path] : [];
  });
}

const diffsIn = (content: Json | undefined): readonly string[] =>
  Array.isArray(content)
    ? pathsIn(
        content.filter((entry: Json) => isObject(entry) && entry.type === 'diff'),
        'path',
      )
    : [];
