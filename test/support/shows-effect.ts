import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A workspace as data: path -> document. Written as JSON files, which are artifacts like YAML ones. */
export type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Anything that a user can see of a workspace: a report, the events of a run, an exit code. Never the file itself. */
export type Observe = (workspaceDirectory: string) => Promise<unknown>;

export interface EffectScene {
  /** Workspace around the key; the first file of the key's kind holds it. */
  readonly base: Documents;
  readonly observe: Observe;
  /** Where the value goes, when not to the first place that the key names. */
  readonly at?: string;
  /** Settings that both sides share, as key -> value. */
  readonly given?: Readonly<Record<string, unknown>>;
}

type Node = Record<string, unknown> | unknown[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** `*` is the first item of a list or the first key of a map, which below `agents` is the root. */
function realSegment(node: Node, segment: string): string {
  if (segment === '*_map') return 'status_map';
  if (segment !== '*') return segment;
  if (Array.isArray(node)) return '0';
  return Object.keys(node)[0] ?? 'any';
}

function setAt(root: Node, segments: readonly string[], value: unknown): void {
  let node: Node = root;
  for (const [index, raw] of segments.entries()) {
    const segment = realSegment(node, raw);
    const holder = node as Record<string, unknown>;
    if (index === segments.length - 1) {
      if (value === undefined) delete holder[segment];
      else holder[segment] = value;
      return;
    }
    if (!isNode(holder[segment])) holder[segment] = segments[index + 1] === '*' ? [] : {};
    node = holder[segment] as Node;
  }
}

function withValue(documents: Documents, key: string, value: unknown): Documents {
  const [kind = '', ...segments] = key.split('.');
  const path = Object.keys(documents).find((name) => documents[name]?.kind === kind);
  if (path === undefined) throw new Error(`the scene holds no ${kind}`);
  // By way of text: objects that two documents share must not stay shared.
  const copy = JSON.parse(JSON.stringify(documents)) as Record<string, Record<string, unknown>>;
  const document = copy[path];
  if (document !== undefined) setAt(document, segments, value);
  return copy;
}

async function observed(documents: Documents, observe: Observe): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-effect-'));
  try {
    for (const [path, document] of Object.entries(documents)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), JSON.stringify(document, null, 2));
    }
    return JSON.stringify(await observe(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Writes a workspace twice, with two values of one key of the key table, looks at both through a door, and throws when the
 * observation is the same: the key would then be without effect. `undefined` = the key is absent.
 */
export async function showsEffect(key: string, valueA: unknown, valueB: unknown, scene: EffectScene): Promise<void> {
  const base = Object.entries(scene.given ?? {}).reduce<Documents>((documents, [at, value]) => withValue(documents, at, value), scene.base);
  const place = scene.at ?? key;
  const a = await observed(withValue(base, place, valueA), scene.observe);
  const b = await observed(withValue(base, place, valueB), scene.observe);
  if (a === b) throw new Error(`${key}: ${JSON.stringify(valueA)} and ${JSON.stringify(valueB)} show the same result`);
}
