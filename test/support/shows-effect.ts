import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A workspace as data: path -> document. Written as JSON files, which are artifacts like YAML ones.
 */
export type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Anything that a user can see of a workspace: a report, the events of a run, an exit code. Never
 * the file itself.
 */
export type Observe = (workspaceDirectory: string) => Promise<unknown>;

export interface EffectScene {
  /** Workspace around the key; the first file of the key's kind holds it. */
  readonly base: Documents;
  readonly observe: Observe;
  /** Tells entry points of one base apart, where a test file looks at it through several. */
  readonly entry?: string;
  /** Puts what is not an artifact into the directory: a repository, an image. */
  readonly prepare?: (directory: string) => Promise<void>;
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

async function observed(documents: Documents, scene: EffectScene): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-effect-'));
  try {
    for (const [path, document] of Object.entries(documents)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), JSON.stringify(document, null, 2));
    }
    await scene.prepare?.(directory);
    return JSON.stringify(await scene.observe(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What a scene shows with these settings, key -> value, as text. */
export function observedWith(settings: Readonly<Record<string, unknown>>, scene: EffectScene): Promise<string> {
  const documents = Object.entries(settings).reduce<Documents>(
    (base, [key, value]) => withValue(base, key, value),
    scene.base,
  );
  return observed(documents, scene);
}

/** The scenes of this test file that showed the same thing twice: base -> entry points. */
const steady = new Map<Documents, Set<string>>();

/** True for the first proof of a scene, which looks once more. */
function isFirstOf({ base, entry = '' }: EffectScene): boolean {
  const entries = steady.get(base) ?? new Set<string>();
  steady.set(base, entries);
  if (entries.has(entry)) return false;
  entries.add(entry);
  return true;
}

/**
 * Writes a workspace twice, with two values of one key of the key table, looks at both through a
 * entry point, and throws when the observation is the same: the key would then be without effect.
 * The first proof of a scene looks at its first workspace twice: an entry point that shows
 * something else each time would prove any key. `undefined` = the key is absent.
 */
export async function showsEffect(key: string, valueA: unknown, valueB: unknown, scene: EffectScene): Promise<void> {
  const settings = (value: unknown) => ({ ...scene.given, [scene.at ?? key]: value });
  const [a, b, again] = await Promise.all([
    observedWith(settings(valueA), scene),
    observedWith(settings(valueB), scene),
    isFirstOf(scene) ? observedWith(settings(valueA), scene) : null,
  ]);
  if (again !== null && a !== again)
    throw new Error(`${key}: the entry shows ${JSON.stringify(valueA)} differently each time: ${difference(a, again)}`);
  if (a === b)
    throw new Error(
      `${key}: ${JSON.stringify(valueA)} and ${JSON.stringify(valueB)} show the same result: ${a.slice(0, SHOWN_CHARS)}`,
    );
}

const SHOWN_CHARS = 300;

/** The first place where two texts part. */
function difference(a: string, b: string): string {
  const at = [...a].findIndex((char, index) => char !== b[index]);
  const around = (text: string): string => text.slice(Math.max(0, at - SHOWN_CHARS / 2), at + SHOWN_CHARS / 2);
  return `\n${around(a)}\n${around(b)}`;
}
