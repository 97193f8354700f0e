import { KitError } from '../domain/errors.js';
import { ENGINE } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { isObject } from '../lib/json.js';
import { sha256Hex } from '../lib/sha256.js';
import {
  CASSETTE_FORMAT,
  CASSETTE_TYPE,
  type CassetteAnswer,
  type CassetteEnd,
  type CassetteHeader,
  type CassettePart,
} from './format.js';
import { readRecording } from './read-recording.js';

/** A whole recording in memory. */
export interface Cassette {
  readonly file: string;
  /** SHA-256 of the bytes of the file. */
  readonly digest: string;
  readonly header: CassetteHeader;
  readonly parts: ReadonlyMap<string, Json>;
  readonly answers: readonly CassetteAnswer[];
  readonly end: CassetteEnd;
}

/**
 * Throws KIT_CASSETTE_INVALID, KIT_CASSETTE_CUT, KIT_CASSETTE_NEWER, KIT_CASSETTE_MISMATCH (another
 * engine).
 */
export async function readCassette(file: string): Promise<Cassette> {
  return parseCassette(await readRecording(file), file);
}

/** The same for text that was read already; `file` names it in refusals. */
export function parseCassette(text: string, file: string): Cassette {
  const [first = '', ...rest] = text.split('\n');
  const header = readHeader(first, file);
  const isWhole = rest.pop() === '';
  const lines = rest.map((line, index) =>
    readLine(line, { file, number: index + 2, isLast: !isWhole && index === rest.length - 1 }),
  );
  const end = lines.at(-1);
  if (!isWhole || end?.type !== 'end' || end.lines !== lines.length)
    throw cut(file, lines.filter((line) => line.type === 'answer').length);
  const parts = new Map<string, Json>();
  const answers: CassetteAnswer[] = [];
  for (const line of lines) {
    if (line.type === 'part') parts.set(line.digest, line.value);
    if (line.type === 'answer') answers.push(line);
  }
  return { file, digest: sha256Hex(text), header, parts, answers, end };
}

function readHeader(line: string, file: string): CassetteHeader {
  const value = parseObject(line);
  if (value === null || value.type !== CASSETTE_TYPE) throw invalid(file, 'its first line is not that of a cassette');
  const { format } = value;
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) throw invalid(file, 'it names no format');
  if (format > CASSETTE_FORMAT) {
    throw new KitError(
      'KIT_CASSETTE_NEWER',
      `the cassette ${file} has format ${format}, and this kit reads up to ${CASSETTE_FORMAT}`,
      {
        data: { file, format, reads: CASSETTE_FORMAT },
      },
    );
  }
  if (!isHeader(value)) throw invalid(file, 'its first line lacks members');
  if (value.engine !== ENGINE) {
    throw new KitError(
      'KIT_CASSETTE_MISMATCH',
      `the cassette ${file} was recorded by engine ${value.engine}, and this kit has engine ${ENGINE}`,
      {
        hint: `Replay it with kit ${value.kit}, or record it again.`,
        data: { file, engine: value.engine, has: ENGINE },
      },
    );
  }
  return value;
}

/** What the replay itself relies on; the rest is for people. */
function isHeader(value: JsonObject): value is JsonObject & CassetteHeader {
  const { engine, workspace, topology, snapshot, request, env, set, base_commit: base, owner } = value;
  return (
    typeof engine === 'number' &&
    typeof workspace === 'string' &&
    isObject(topology) &&
    typeof topology.name === 'string' &&
    typeof topology.version === 'string' &&
    typeof snapshot === 'string' &&
    isObject(request) &&
    request.input !== undefined &&
    Array.isArray(request.attachments) &&
    request.attachments.every(isObject) &&
    isObject(env) &&
    Object.values(env).every((one) => typeof one === 'string' || typeof one === 'number') &&
    Array.isArray(set) &&
    set.every((name) => typeof name === 'string') &&
    (base === null || typeof base === 'string') &&
    (owner === undefined || typeof owner === 'string')
  );
}

type Line = CassettePart | CassetteAnswer | CassetteEnd;

function readLine(
  text: string,
  at: { readonly file: string; readonly number: number; readonly isLast: boolean },
): Line {
  const value = parseObject(text);
  // The writer died inside this line: the file is cut, not wrong.
  if (value === null && at.isLast) return { type: 'part', digest: '', value: null };
  if (value === null || !isLine(value)) throw invalid(at.file, `line ${at.number} is none of a cassette`);
  return value;
}

function isLine(value: JsonObject): value is JsonObject & Line {
  switch (value.type) {
    case 'part':
      return typeof value.digest === 'string' && value.value !== undefined;
    case 'answer':
      return (
        typeof value.kind === 'string' &&
        typeof value.key === 'string' &&
        Number.isInteger(value.n) &&
        typeof value.digest === 'string' &&
        isObject(value.asked) &&
        value.gave !== undefined
      );
    case 'end':
      return typeof value.status === 'string' && Number.isInteger(value.lines);
    default:
      return false;
  }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const invalid = (file: string, problem: string): KitError =>
  new KitError('KIT_CASSETTE_INVALID', `${file} is not a cassette that can be read: ${problem}`, { data: { file } });

const cut = (file: string, answers: number): KitError =>
  new KitError(
    'KIT_CASSETTE_CUT',
    `the cassette ${file} is cut: it holds ${answers} answers and not the line that ends it`,
    {
      data: { file, answers },
    },
  );
