import { type InboxRow, type Job, oneLine, timeText } from '@kit-run/kit/command';
import { isKitError } from '@kit-run/kit/plugin';
import type { Backend, MadeArtifact } from './backend.js';
import { artifactUri, listTopologies, RUN, reviewUri } from './resources.js';
import { ProtocolError, ProtocolErrorCode } from './sdk/parts.js';

/** A resource as it is listed. */
interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
}

/** A part of a list, and where the next one begins; null = there is none. */
interface Part {
  readonly listed: readonly Listed[];
  readonly after: string | null;
}

/** Entries of a page; the topologies all stand on the first one, beside them. */
const PAGE = 100;

/** Whoever may not decide a task of their role waits for the others. */
function itemEntry({ item, asked }: InboxRow): Listed {
  const { you } = asked;
  const whyNot = you === null || you.canDecide ? null : (you.whyNot ?? '');
  return {
    uri: reviewUri(item.id),
    name: item.id,
    title: `waits for ${whyNot === null ? 'you' : 'others'}: ${oneLine(asked.topology.name, 80)}${item.role === null ? '' : ` as ${oneLine(item.role, 80)}`}`,
    description: `${oneLine(item.question ?? item.reason, 300)}${whyNot === null ? '' : `; you cannot decide it: ${oneLine(whyNot, 300)}`}`,
    mimeType: 'text/plain',
  };
}

const runEntry = ({ id, topology, status, createdAt, error }: Job): Listed => ({
  uri: `${RUN}${id}`,
  name: id,
  title: `${oneLine(topology, 80)}: ${status}`,
  description: `begun ${timeText(createdAt)}${error === null ? '' : `; ${oneLine(error, 300)}`}`,
  mimeType: 'application/json',
});

const artifactEntry = ({ ref, name, mediaType }: MadeArtifact): Listed => ({
  uri: artifactUri(ref),
  name,
  title: `made: ${oneLine(ref, 200)}`,
  mimeType: mediaType,
});

/** What is listed of each workspace, in this order: what waits for people first. */
const PARTS: readonly ((backend: Backend, workspace: string, after: string | null) => Promise<Part>)[] = [
  async (backend, workspace, after) => {
    const { rows, hasMore } = await backend.inbox(workspace, { limit: PAGE, after });
    return { listed: rows.map(itemEntry), after: hasMore ? (rows.at(-1)?.item.id ?? null) : null };
  },
  async (backend, workspace, after) => {
    const runs = await backend.runs(workspace, { limit: PAGE, after });
    return { listed: runs.map(runEntry), after: runs.length < PAGE ? null : (runs.at(-1)?.id ?? null) };
  },
  // The newest alone, each ref once: all that a run made stands with its answer.
  async (backend, workspace) => {
    const made = (await backend.newest(workspace, PAGE)).map(artifactEntry);
    return { listed: [...new Map(made.map((one) => [one.uri, one])).values()], after: null };
  },
];

interface Place {
  readonly workspace: number;
  readonly part: number;
  readonly after: string | null;
}

const cursorOf = ({ workspace, part, after }: Place): string =>
  Buffer.from(JSON.stringify([workspace, part, after])).toString('base64url');

const badCursor = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor was not given by this server; begin without one');

/** Throws what `badCursor` makes. */
function placeOf(cursor: string, workspaces: number): Place {
  try {
    const [workspace, part, after, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isAfter = after === null || (typeof after === 'string' && after !== '');
    if (isBelow(workspace, workspaces) && isBelow(part, PARTS.length) && isAfter && rest.length === 0)
      return { workspace, part, after };
  } catch {
    // told below
  }
  throw badCursor();
}

const isBelow = (value: unknown, bound: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < bound;

function nextOf({ workspace, part }: Place, after: string | null, workspaces: number): Place | null {
  if (after !== null) return { workspace, part, after };
  if (part + 1 < PARTS.length) return { workspace, part: part + 1, after: null };
  return workspace + 1 < workspaces ? { workspace: workspace + 1, part: 0, after: null } : null;
}

/**
 * A page of resources: topologies, what waits for whoever calls, runs and what they made. A client
 * that reads no further page has the first of each. Throws -32602 for a cursor of elsewhere.
 */
export async function listResources(
  backend: Backend,
  cursor: string | undefined,
): Promise<{ readonly resources: Listed[]; readonly nextCursor?: string }> {
  const { workspaces } = backend;
  let place: Place | null =
    cursor === undefined ? { workspace: 0, part: 0, after: null } : placeOf(cursor, workspaces.length);
  const listed: Listed[] = [];
  try {
    while (place !== null && listed.length < PAGE) {
      const [read, workspace] = [PARTS[place.part], workspaces[place.workspace]];
      if (read === undefined || workspace === undefined) break;
      const part: Part = await read(backend, workspace, place.after);
      listed.push(...part.listed);
      place = nextOf(place, part.after, workspaces.length);
    }
  } catch (error) {
    // What it goes on after is gone, or never was.
    if (isKitError(error) && GONE.has(error.code)) throw badCursor();
    if (!isKitError(error)) backend.onDefect(error);
    const words = isKitError(error) ? backend.wordsOf(error) : 'the server failed to answer';
    throw new ProtocolError(ProtocolErrorCode.InternalError, words);
  }
  return {
    resources: [...(cursor === undefined ? await listTopologies(backend) : []), ...listed],
    ...(place === null ? {} : { nextCursor: cursorOf(place) }),
  };
}

const GONE: ReadonlySet<string> = new Set(['KIT_JOB_UNKNOWN', 'KIT_ITEM_UNKNOWN']);
