import { isArtifactName, KIND_FOLDERS, WORKSPACE_FILES } from '../../../compile/discover/layout.js';
import { isArray } from '../../../compile/document.js';
import { readProperties } from '../../../compile/interpolate/properties.js';
import { parseSource } from '../../../compile/parse/parse-source.js';
import type { ParsedSource } from '../../../compile/parse/parsed-source.js';
import { textAt } from '../../../compile/read.js';
import { KitError } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { isObject } from '../../../lib/json.js';
import { indexLines } from '../../../lib/line-index.js';
import { pointerTo } from '../../../lib/pointer-to.js';
import { shellWord, visible } from '../../../lib/shell-word.js';
import type { TemplateFile } from '../../templates.js';

/** One thing of a workspace from elsewhere that starts a program, or a run by itself. */
export interface ProgramUse {
  /** What it belongs to, in words: `tool server files`, `trigger nightly`. */
  readonly what: string;
  /** The command line as written; for a trigger when it starts what. Never cut. */
  readonly text: string;
  /** `path:line`. */
  readonly place: string;
}

/** A longer command line is refused: nobody reads it. */
const MAX_CHARS = 4_000;
/** Lists of words that are started, whatever holds them. */
const ARGV_KEYS = ['command', 'argv', 'args'];
/** What changes which program a command line means, written beside it. */
const BESIDE = ['env', 'environment', 'cwd', 'image'];

const isWords = (value: Json | undefined): value is readonly string[] =>
  isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');

const NOUNS: Readonly<Record<string, string>> = {
  mcp_servers: 'tool server',
  commands: 'command',
  launch: 'coding agent',
  optional_args: 'more words of the coding agent',
};

/** The noun of the nearest key that has one, and the nearest name. */
function ownerAt(keys: readonly string[], names: readonly string[]): string {
  const noun = keys.toReversed().flatMap((key) => NOUNS[key] ?? [])[0] ?? 'program';
  const name = names.at(-1);
  return name === undefined ? noun : `${noun} ${name}`;
}

const besideOf = (object: JsonObject): string => {
  const beside = BESIDE.filter((key) => object[key] !== undefined);
  return beside.map((key) => `  (${key}: ${JSON.stringify(object[key])})`).join('');
};

function usesIn(parsed: ParsedSource): readonly ProgramUse[] {
  const uses: ProgramUse[] = [];
  const lines = indexLines(parsed.source.text);
  const add = (what: string, text: string, pointer: string): void => {
    const place = `${parsed.source.path}:${lines.placeAt(parsed.spanOf(pointer).start).line}`;
    if (text.length > MAX_CHARS)
      throw new KitError('KIT_USAGE', `--from: ${place}: ${what} has ${text.length} characters`, {
        hint: `Nobody reads more than ${MAX_CHARS}; put it into a script of the workspace. Nothing was written.`,
      });
    uses.push({ what: visible(what), text: visible(text), place });
  };
  const visit = (value: Json, pointer: string, keys: readonly string[], names: readonly string[]): void => {
    if (isArray(value)) {
      value.forEach((item, index) => {
        visit(item, pointerTo(pointer, index), keys, names);
      });
      return;
    }
    if (!isObject(value)) return;
    const name = textAt(value, 'id');
    const named = name === null ? names : [...names, name];
    for (const [key, inner] of Object.entries(value)) {
      const at = pointerTo(pointer, key);
      if (ARGV_KEYS.includes(key) && isWords(inner))
        add(ownerAt(keys, named), `${inner.map(shellWord).join(' ')}${besideOf(value)}`, at);
      else if (key === 'executor' && isObject(inner))
        add(`executor of ${named.at(-1) ?? 'an agent'}`, JSON.stringify(inner), at);
      else if (key === 'image' && typeof inner === 'string' && !ARGV_KEYS.some((words) => isWords(value[words])))
        add('container image', inner, at);
      else visit(inner, at, [...keys, key], named);
    }
  };
  const metadata = parsed.value.metadata;
  const id = isObject(metadata) ? (textAt(metadata, 'id') ?? textAt(metadata, 'name')) : null;
  visit(parsed.value, '', [], id === null ? [] : [id]);
  if (parsed.value.kind === 'Trigger') add(`trigger ${id ?? ''}`.trim(), triggerText(parsed.value), '');
  return uses;
}

/** Type, time or address, and what it starts: every key but those that describe the file. */
function triggerText(value: JsonObject): string {
  const shownEntries = Object.entries(value).filter(
    ([key]) => !['apiVersion', 'kind', 'metadata', 'provenance'].includes(key),
  );
  return shownEntries
    .map(([key, inner]) => `${key}: ${typeof inner === 'string' ? inner : JSON.stringify(inner)}`)
    .join(', ');
}

function scriptsIn({ path, text }: TemplateFile): readonly ProgramUse[] {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> };
    return Object.entries(scripts ?? {}).map(([name, script]) => ({
      what: visible(`npm script ${name}`),
      text: visible(String(script)),
      place: path,
    }));
  } catch {
    return [{ what: 'unreadable', text: 'kit cannot read it, so it cannot say what it starts', place: path }];
  }
}

const isPropertyFile = (path: string): boolean => /^workspace\.env(\.[^/]+)?\.yaml$/.test(path);
const isArtifact = (path: string): boolean =>
  WORKSPACE_FILES.some((name) => name === path) ||
  (KIND_FOLDERS.some(({ folder }) => path.startsWith(`${folder}/`)) && isArtifactName(path.split('/').at(-1) ?? ''));

/** Values that a property file gives to the `${NAME}` of command lines. */
function valuesIn(file: TemplateFile, names: ReadonlySet<string>): readonly ProgramUse[] {
  const { parsed } = parseSource(file);
  const values = parsed === null ? [] : [...readProperties(parsed, () => undefined).values];
  return values.flatMap(([name, value]) =>
    names.has(name) ? [{ what: `value of \${${name}}`, text: JSON.stringify(value), place: file.path }] : [],
  );
}

/**
 * Everything of these files that would start a program, or a run without anybody asking: tool
 * servers, command packs, coding agents and their containers, triggers, npm scripts; as written,
 * with the values that the workspace itself gives to variables in them. Also of a workspace that is
 * not valid. A file that kit cannot read is named. Throws KIT_USAGE for a command line that nobody
 * would read. Pure.
 */
export function programUses(files: readonly TemplateFile[]): readonly ProgramUse[] {
  const uses = files.flatMap((file): readonly ProgramUse[] => {
    if (/(^|\/)package\.json$/.test(file.path)) return scriptsIn(file);
    if (!isArtifact(file.path)) return [];
    const { parsed } = parseSource(file);
    if (parsed === null)
      return [{ what: 'unreadable', text: 'kit cannot read it, so it cannot say what it starts', place: file.path }];
    return usesIn(parsed);
  });
  const names = new Set(
    uses.flatMap(({ text }) => [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? [])),
  );
  return [...uses, ...files.filter(({ path }) => isPropertyFile(path)).flatMap((file) => valuesIn(file, names))];
}
