import { isAbsolute, join } from 'node:path';
import type { PluginHost } from '../domain/extension-points.js';
import type { FindReferences } from '../domain/ports/references.js';
import type { Clock, Files } from '../domain/ports/system.js';
import { type Reference, readReference } from '../domain/reference.js';
import type { CredentialEntry } from '../domain/workspace.js';
import { interpolateText } from '../lib/interpolate-text.js';

/** What is set, written or installed from now on counts after this. */
const ASKED_EVERY_MS = 1_000;

/** Where references are looked for. */
export interface ReferencePlaces {
  readonly clock: Pick<Clock, 'now'>;
  /** Value of a variable: the property file of the workspace, then the environment. */
  readonly lookup: (name: string) => string | undefined;
  /** The environment alone: a credential of the source `env` comes from nowhere else. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Pick<Files, 'realPath'>;
  readonly workspaceRoot: string;
  /** Entry of a credential, as the workspace is now. */
  readonly entry: (ref: string) => CredentialEntry | null;
  /** Tool servers, as the workspace is now. */
  readonly servers: Pick<ReadonlySet<string>, 'has'>;
  readonly plugins: Pick<PluginHost, 'find'>;
}

/** The references of one opened workspace on this machine. */
export function createFindReferences(places: ReferencePlaces): FindReferences {
  const known = new Map<string, { readonly atMs: number; readonly answer: Promise<boolean> }>();
  const isThere = (text: string): Promise<boolean> => {
    const last = known.get(text);
    if (last !== undefined && places.clock.now() - last.atMs < ASKED_EVERY_MS) return last.answer;
    const answer = look(places, readReference(text));
    known.set(text, { atMs: places.clock.now(), answer });
    return answer;
  };
  return async (references) => {
    const found = await Promise.all(references.map(isThere));
    return references.filter((_, at) => found[at]);
  };
}

async function look(places: ReferencePlaces, reference: Reference | null): Promise<boolean> {
  if (reference === null) return false;
  switch (reference.kind) {
    case 'variable':
      return isText(places.lookup(reference.name));
    case 'credential':
      return isCredentialThere(places, places.entry(reference.name));
    case 'server':
      return places.servers.has(reference.name);
    case 'program': {
      const { whichProgram } = await import('../system/which-program.js');
      return (await whichProgram(reference.name, places.env.PATH)) !== null;
    }
  }
}

async function isCredentialThere(places: ReferencePlaces, entry: CredentialEntry | null): Promise<boolean> {
  if (entry === null) return false;
  const { source, config, providerId } = entry;
  switch (source) {
    case 'env':
      return [config.env, config.var].some((name) => isText(name) && isText(places.env[expanded(places, name) ?? '']));
    case 'file': {
      const path = isText(config.path) ? expanded(places, config.path) : null;
      if (path === null) return false;
      return (await places.files.realPath(isAbsolute(path) ? path : join(places.workspaceRoot, path))) !== null;
    }
    default:
      return places.plugins.find('credentialSources', providerId ?? source) !== null;
  }
}

/** Null where a variable of it is not set. */
function expanded({ lookup }: ReferencePlaces, text: string): string | null {
  const result = interpolateText(text, lookup);
  return result.unresolved.length === 0 ? result.text : null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
