import { basename, dirname, join } from 'node:path';
import { KitError } from '../../../domain/errors.js';
import type { FileEdits, Files } from '../../../domain/ports/system.js';
import { isBelow } from '../../../lib/is-inside.js';
import { isObject } from '../../../lib/json.js';
import { sha256Hex } from '../../../lib/sha256.js';
import { SKILL_ID } from './bundle.js';
import type { CatalogueFiles } from './read-catalogue.js';

/** Reads a text over http(s), guarded and bounded. */
export type FetchText = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

export interface SourceDeps {
  readonly files: Files;
  readonly edits: FileEdits;
  readonly fetchText: FetchText;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Directory for copies of remote catalogues. */
  readonly cacheDir: string;
  /** KIT_SKILLS_CATALOGUE; null = the catalogue of kit. */
  readonly setting: string | null;
  /** The file that holds the catalogue of kit: path to text. */
  readonly bundledFile: string;
}

const CACHE_MS = 24 * 60 * 60 * 1000;
export const BUNDLED = 'bundled';

const unreachable = (where: string, why: string, cause?: unknown): KitError =>
  new KitError('KIT_CATALOGUE_UNREACHABLE', `the skill catalogue ${where} ${why}`, {
    ...(cause === undefined ? {} : { cause }),
  });

type Texts = Readonly<Record<string, string>>;

const isTexts = (value: unknown): value is Texts =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string');

const idsIn = (texts: Texts): readonly string[] =>
  Object.keys(texts).flatMap((path) => /^skills\/([^/]+)\/bundle\.yaml$/.exec(path)?.[1] ?? []);

/** A catalogue whose files are all at hand. */
const ofTexts = (where: string, texts: Texts): CatalogueFiles => ({
  where,
  bundles: async () => idsIn(texts),
  text: async (path) => (Object.hasOwn(texts, path) ? (texts[path] ?? null) : null),
});

async function bundledCatalogue({ files, bundledFile }: SourceDeps): Promise<CatalogueFiles> {
  const text = await files.readText(bundledFile);
  const value: unknown = text === null ? null : JSON.parse(text);
  if (!isTexts(value)) throw unreachable('of kit', 'is not in its package');
  return ofTexts(BUNDLED, value);
}

/** The loader takes no larger file; one is not even read. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A file of a directory; what leads out of it, is none or too large counts as absent. */
async function textBelow(root: string, path: string, files: Files): Promise<string | null> {
  const real = await files.realPath(join(root, path));
  if (real === null || !isBelow(root, real)) return null;
  const isFile = (await files.list(dirname(real)))?.some(
    ({ name, kind }) => name === basename(real) && kind === 'file',
  );
  if (isFile !== true || ((await files.sizeBytes?.(real)) ?? 0) > MAX_BYTES) return null;
  return files.readText(real);
}

async function directoryCatalogue(directory: string, { files }: SourceDeps): Promise<CatalogueFiles> {
  const root = await files.realPath(directory);
  const listed = root === null ? null : await files.list(join(root, 'skills'));
  if (root === null || listed === null) throw unreachable(directory, 'is not a directory with a folder `skills`');
  return {
    where: directory,
    bundles: async () =>
      listed.filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.')).map(({ name }) => name),
    text: (path) => textBelow(root, path, files),
  };
}

/** `https://example.org/skills/` and the same without the last slash are one place. */
function baseOf(setting: string): URL {
  const url = URL.parse(setting.endsWith('/') ? setting : `${setting}/`);
  if (url === null) throw unreachable(setting, 'is not an address');
  return url;
}

/** The address without what may hold a secret. */
const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

const listOf = (value: unknown): readonly string[] | null => {
  const list: unknown = isObject(value) ? value.bundles : value;
  return Array.isArray(list) && list.every((id) => typeof id === 'string' && SKILL_ID.test(id)) ? list : null;
};

/** Everything that the index names, read once. */
async function downloaded(base: URL, { fetchText }: SourceDeps): Promise<CatalogueFiles> {
  const where = shown(base);
  const read = async (path: string): Promise<string | null> => {
    try {
      const { status, text } = await fetchText(new URL(path, base).href);
      if (status === 404 || status === 410) return null;
      if (status !== 200) throw unreachable(where, `answers ${status} for ${path}`);
      return text;
    } catch (error) {
      if (error instanceof KitError && error.code === 'KIT_CATALOGUE_UNREACHABLE') throw error;
      throw unreachable(where, `cannot be read: ${error instanceof Error ? error.message : 'no answer'}`, error);
    }
  };
  return {
    where,
    bundles: async () => {
      const text = await read('index.json');
      let value: unknown = null;
      try {
        value = text === null ? null : JSON.parse(text);
      } catch {}
      const ids = listOf(value);
      if (ids === null) throw unreachable(where, 'has no index.json that lists its bundles');
      return ids;
    },
    text: read,
  };
}

interface Copy {
  readonly at: number;
  readonly texts: Texts;
}

function copyOf(text: string | null): Copy | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { at, texts } = value;
    return typeof at === 'number' && isTexts(texts) ? { at, texts } : null;
  } catch {
    return null;
  }
}

/** Keeps what passes through, so that the next look asks nobody. */
function keeping(files: CatalogueFiles, keep: (texts: Texts) => Promise<void>): OpenedCatalogue {
  const texts: Record<string, string> = {};
  return {
    files: {
      ...files,
      text: async (path) => {
        const text = await files.text(path);
        if (text !== null) texts[path] = text;
        return text;
      },
    },
    keep: () => keep(texts),
  };
}

/** A catalogue, and what is done once it was read as a whole. */
export interface OpenedCatalogue {
  readonly files: CatalogueFiles;
  readonly keep: () => Promise<void>;
}

async function remoteCatalogue(setting: string, refresh: boolean, deps: SourceDeps): Promise<OpenedCatalogue> {
  const base = baseOf(setting);
  const path = join(deps.cacheDir, `catalogue-${sha256Hex(base.href).slice(0, 24)}.json`);
  const copy = refresh ? null : copyOf(await deps.files.readText(path));
  const age = copy === null ? null : deps.now() - copy.at;
  if (copy !== null && age !== null && age >= 0 && age < CACHE_MS)
    return { files: ofTexts(shown(base), copy.texts), keep: async () => undefined };
  return keeping(await downloaded(base, deps), (texts) =>
    // A copy that cannot be kept costs the next look a request.
    deps.edits.replace(path, `${JSON.stringify({ at: deps.now(), texts })}\n`).catch(() => undefined),
  );
}

/**
 * Where the catalogue lies: in the package, in a directory (read each time), or at an address (read
 * at most once in 24 h, unless `refresh`). Throws KIT_CATALOGUE_UNREACHABLE.
 */
export async function openCatalogue(refresh: boolean, deps: SourceDeps): Promise<OpenedCatalogue> {
  const { setting } = deps;
  if (setting !== null && /^https?:\/\//i.test(setting)) return remoteCatalogue(setting, refresh, deps);
  const files = setting === null ? await bundledCatalogue(deps) : await directoryCatalogue(setting, deps);
  return { files, keep: async () => undefined };
}
