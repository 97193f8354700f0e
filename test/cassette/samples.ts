import {
  CASSETTE_FORMAT,
  CASSETTE_TYPE,
  type CassetteAnswer,
  type CassetteHeader,
  type CassetteLine,
} from '../../src/cassette/format.js';
import { digestOf, plain, shareParts } from '../../src/cassette/requests.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';

export const HEADER: CassetteHeader = {
  type: CASSETTE_TYPE,
  format: CASSETTE_FORMAT,
  kit: '0.0.0',
  recorded_at: '2026-01-01T00:00:00.000Z',
  engine: ENGINE,
  workspace: 'w',
  topology: { name: 'test', version: '1.0.0' },
  snapshot: 'a'.repeat(64),
  request: { input: 'hi', attachments: [] },
  env: { KIT_MODEL_RETRIES: 3 },
  set: ['LOCAL_KEY'],
  owner: 'tester',
  base_commit: null,
};

const message = (role: string, text: string): JsonObject => ({ role, parts: [{ type: 'text', text }] });

/** A model request as it is recorded. */
export const askedModel = (over: JsonObject = {}): JsonObject => ({
  provider: 'local',
  model: 'm1',
  temperature: null,
  maxTokens: null,
  options: {},
  outputSchema: null,
  tools: [],
  messages: [message('system', 'You help.'), message('user', 'hi')],
  ...over,
});

export const ASKED_COMMAND: JsonObject = { argv: ['note', 'x'], cwd: '', stdin: '' };

interface Place {
  readonly kind: CassetteAnswer['kind'];
  readonly key: string;
  readonly n?: number;
}

/** One answer line; pieces of the request stand in parts above it. */
export function answerLines(place: Place, asked: JsonObject, gave: Json): readonly CassetteLine[] {
  const parts: CassetteLine[] = [];
  const shared = shareParts(asked, (value) => {
    const digest = digestOf(value);
    parts.push({ type: 'part', digest, value });
    return digest;
  });
  return [...parts, { type: 'answer', n: 0, ...place, digest: digestOf(asked), asked: shared, gave }];
}

const ANSWERS = [
  ...answerLines({ kind: 'model', key: 'root/d0/t0' }, askedModel(), { result: plain({ ok: true }), price: null }),
  ...answerLines({ kind: 'command', key: 'root/d0/t0/c0:note' }, ASKED_COMMAND, { lines: ['noted'], result: {} }),
];

/** The text of a whole cassette. */
export function aCassette(answers: readonly CassetteLine[] = ANSWERS, status = 'completed'): string {
  const lines: readonly CassetteLine[] = [
    HEADER,
    ...answers,
    { type: 'end', status, reason: null, lines: answers.length + 1 },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
