import type { Json, JsonObject } from '../domain/json.js';
import { StepFailure } from '../engine/step-failure.js';
import { assertNever } from '../lib/assert-never.js';
import { describeDifference, firstDifference } from '../lib/first-difference.js';
import type { AnswerKind, CassetteAnswer } from './format.js';
import type { Cassette } from './read-cassette.js';
import { digestOf, restoreGiven, restoreParts } from './requests.js';
import type { RecordedRequest } from './write-cassette.js';

/** The reason of a step whose request the cassette does not hold. */
export const REPLAY_MISS = 'replay.miss';

/**
 * The answers of a cassette, looked up by kind, step key and attempt, and given only for the very
 * request that was recorded. Anything else fails the step with `replay.miss` and names the first
 * difference; the nearest answer is named, and never given.
 */
export class AnswerBook {
  readonly #cassette: Cassette;
  readonly #answers = new Map<string, CassetteAnswer[]>();
  /** Answers that nothing replaced, in the order of the file. */
  readonly #live: readonly CassetteAnswer[];
  readonly #taken = new Set<CassetteAnswer>();
  #firstMiss: string | null = null;

  constructor(cassette: Cassette) {
    this.#cassette = cassette;
    for (const answer of cassette.answers) {
      const id = idOf(answer);
      const earlier = answer.n === 0 ? [] : (this.#answers.get(id) ?? []);
      this.#answers.set(id, [...earlier, answer]);
    }
    const live = new Set([...this.#answers.values()].flat());
    this.#live = cassette.answers.filter((answer) => live.has(answer));
  }

  /** Its place among the answers, from 0; Infinity for one that the file does not hold. */
  orderOf({ kind, key, n }: Omit<RecordedRequest, 'asked'>): number {
    const answer = this.#answers.get(idOf({ kind, key }))?.[n];
    return answer === undefined ? Number.POSITIVE_INFINITY : this.#live.indexOf(answer);
  }

  /** The recorded answer. Throws StepFailure `replay.miss`. */
  take(asked: RecordedRequest): Json {
    const recorded = this.#answers.get(idOf(asked));
    const answer = recorded?.[asked.n];
    if (recorded === undefined) throw this.#miss(asked, this.#nothingAt(asked));
    if (answer === undefined) {
      throw this.#miss(
        asked,
        `it holds ${recorded.length} ${nounOf(asked.kind)}${recorded.length === 1 ? '' : 's'} for this step, and one more is asked for`,
      );
    }
    if (answer.digest !== digestOf(asked.asked)) throw this.#miss(asked, this.#differenceOf(answer, asked.asked));
    this.#taken.add(answer);
    return restoreGiven(answer.gave, this.#cassette.parts);
  }

  /** True for what was refused before anything was asked. */
  holds(kind: AnswerKind, key: string): boolean {
    return this.#answers.has(idOf({ kind, key }));
  }

  /** Steps of recorded answers that nobody asked for, in the order of the file. */
  unused(): readonly string[] {
    return this.#live.filter((answer) => !this.#taken.has(answer)).map(({ key }) => key);
  }

  /** How the first request that was not held differs; null = there was none. */
  get firstMiss(): string | null {
    return this.#firstMiss;
  }

  #miss({ kind, key }: RecordedRequest, why: string): StepFailure {
    const said = `the cassette does not hold this request (${nounOf(kind)} of the step ${key}): ${why}`;
    const earlier = this.#firstMiss;
    this.#firstMiss ??= said;
    return new StepFailure(
      REPLAY_MISS,
      earlier === null ? said : `${said}; the first one that it does not hold: ${earlier}`,
    );
  }

  #differenceOf(answer: CassetteAnswer, asked: JsonObject): string {
    const difference = firstDifference(restoreParts(answer.asked, this.#cassette.parts), asked);
    // A request whose text was taken out of the file by hand can differ where nothing is left to
    // show.
    if (difference === null) return 'the digest of the request differs';
    const { left, right } = describeDifference(difference);
    return `first difference at ${difference.pointer === '' ? '/' : difference.pointer}: recorded ${left}, asked ${right}`;
  }

  #nothingAt({ kind, key }: RecordedRequest): string {
    const keys = this.#cassette.answers.filter((answer) => answer.kind === kind).map((answer) => answer.key);
    if (keys.length === 0) return `it holds no ${nounOf(kind)} at all`;
    const { status, reason } = this.#cassette.end;
    const ended =
      status === 'completed' ? '' : ` (the recorded run ended as ${status}${reason === null ? '' : `, ${reason}`})`;
    return `it holds none for this step; the nearest recorded step is ${nearestKey(key, keys)}${ended}`;
  }
}

const idOf = ({ kind, key }: { readonly kind: AnswerKind; readonly key: string }): string => `${kind} ${key}`;

/** The key that shares the longest path; of several the first recorded. */
function nearestKey(key: string, keys: readonly string[]): string {
  const path = key.split('/');
  let best = keys[0] ?? '';
  let bestLength = -1;
  for (const candidate of keys) {
    const parts = candidate.split('/');
    let length = 0;
    while (length < path.length && path[length] === parts[length]) length += 1;
    if (length > bestLength) [best, bestLength] = [candidate, length];
  }
  return best;
}

function nounOf(kind: AnswerKind): string {
  switch (kind) {
    case 'model':
      return 'model answer';
    case 'command':
      return 'command result';
    case 'harness':
      return 'harness session';
    case 'embedding':
      return 'embedding';
    case 'tool':
      return 'tool answer';
    case 'tools':
      return 'list of tools';
    case 'recall':
      return 'look into memory';
    case 'remember':
      return 'write to memory';
    case 'worktree':
      return 'worktree';
    case 'diff':
      return 'diff';
    case 'provider':
      return 'provider refusal';
    case 'command-env':
      return 'credential refusal';
    default:
      return assertNever(kind);
  }
}
