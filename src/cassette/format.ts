import type { Json, JsonObject } from '../domain/json.js';

/**
 * Raised when the shape changes; a file with a higher number is refused. Of format 1, nothing that
 * was remembered is in the file.
 */
export const CASSETTE_FORMAT = 2;

/** First member of the first line: what tells a cassette from any other JSON Lines file. */
export const CASSETTE_TYPE = 'kit-cassette';

/**
 * What an answer is an answer to. `model`, `command`, `tool` and `harness` are the work; `worktree`
 * and `diff` belong to a harness session, `tools` is what a tool server listed, `embedding` what a
 * provider made of texts. `recall` and `remember` are what memory gave and what became of a write.
 * `provider` and `command-env` exist only for what was refused before anything was asked: a key or
 * credential that did not resolve.
 */
export type AnswerKind =
  | 'model'
  | 'command'
  | 'harness'
  | 'embedding'
  | 'tool'
  | 'tools'
  | 'recall'
  | 'remember'
  | 'worktree'
  | 'diff'
  | 'provider'
  | 'command-env';

/**
 * The first line: which work was recorded, with which settings. It holds names of variables that
 * were set, never their values.
 */
export interface CassetteHeader {
  readonly type: typeof CASSETTE_TYPE;
  readonly format: number;
  /** Version of kit that recorded it. */
  readonly kit: string;
  readonly recorded_at: string;
  /** Step keys and step order belong to it (docs/design/journal.md#engine-and-needs). */
  readonly engine: number;
  /** Id of the workspace. */
  readonly workspace: string;
  readonly topology: { readonly name: string; readonly version: string };
  /** Digest of the snapshot: another one means that the work was changed since. */
  readonly snapshot: string;
  readonly request: { readonly input: Json; readonly attachments: readonly JsonObject[] };
  /** Variables marked `run`, with their effective values; a replay takes them from here. */
  readonly env: Readonly<Record<string, string | number>>;
  /** Names of variables that were asked for and set, such as those of API keys. */
  readonly set: readonly string[];
  /** Whose memory was read; absent in format 1. */
  readonly owner?: string;
  /** HEAD of the repository; null without one. */
  readonly base_commit: string | null;
}

/**
 * A piece of a request, written when it first appears: a conversation grows by a message a turn and
 * is not written anew each time.
 */
export interface CassettePart {
  readonly type: 'part';
  readonly digest: string;
  readonly value: Json;
}

/** One answer, in the order in which answers came; looked up by kind, key, `n` and digest. */
export interface CassetteAnswer {
  readonly type: 'answer';
  readonly kind: AnswerKind;
  /** Key of the step that asked. */
  readonly key: string;
  /**
   * Which attempt of the step, from 0. A step that a takeover began anew starts at 0 again, and
   * replaces what is above.
   */
  readonly n: number;
  /** SHA-256 over the canonical JSON of the masked request. */
  readonly digest: string;
  /** The masked request; pieces of it stand in parts (`{"part": digest}`). */
  readonly asked: JsonObject;
  readonly gave: Json;
}

/** The last line: the recording is whole. */
export interface CassetteEnd {
  readonly type: 'end';
  /** How the recorded run ended. */
  readonly status: string;
  readonly reason: string | null;
  /** Lines above this one. */
  readonly lines: number;
}

export type CassetteLine = CassetteHeader | CassettePart | CassetteAnswer | CassetteEnd;
