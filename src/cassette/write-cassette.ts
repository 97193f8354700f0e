import { closeSync, readFileSync, rmSync } from 'node:fs';
import { KitError, messageOf } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import { CutOff, type Log } from '../domain/ports/system.js';
import { isObject } from '../lib/json.js';
import { appendDurably, openNew, replaceFile } from './cassette-file.js';
import type { CassetteAnswer, CassetteEnd, CassetteHeader, CassetteLine } from './format.js';
import { encodeError } from './recorded-error.js';
import { digestOf, restoreParts, shareGiven, shareParts } from './requests.js';

/** Replaces every secret known so far. */
export type Mask = <T extends Json>(value: T) => T;

/** What was asked at one place; `n` counts the attempts of a step from 0. */
export type RecordedRequest = Pick<CassetteAnswer, 'kind' | 'key' | 'n' | 'asked'>;

/**
 * In the place of an answer: there was none when a limit around the call cut it off, and the run
 * went on without it.
 */
const CUT: JsonObject = { cut_off: true };

export const isCut = (gave: Json): boolean => isObject(gave) && gave.cut_off === true;

/**
 * An open recording. Every line is on the disk before its answer is used. The calls are synchronous
 * on purpose: between an answer and its line no timer can fire, so that the file and the step
 * always agree on what came first, the answer or the time limit.
 */
export class CassetteWriter {
  readonly #file: string;
  readonly #fd: number;
  readonly #log: Log;
  readonly #known = new Set<string>();
  #mask: Mask = (value) => value;
  #lines = 0;
  #state: 'open' | 'broken' | 'closed' = 'open';

  /**
   * Makes the file (mode 0600, never over another one) with its first line. Throws KIT_USAGE for a
   * place that cannot be used.
   */
  constructor(file: string, header: CassetteHeader, log: Log) {
    this.#file = file;
    this.#log = log;
    this.#fd = openNew(file);
    this.#write(header);
    if (this.#state !== 'broken') return;
    this.discard();
    throw new KitError('KIT_USAGE', `cannot record into ${file}: nothing can be written there`, {
      hint: 'Name another file.',
    });
  }

  /** From now on everything is masked with this: the mask of the run. */
  maskWith(mask: Mask): void {
    this.#mask = mask;
  }

  /**
   * Keeps one answer and gives what decoding the stored bytes gives: the run sees what a replay of
   * it will see.
   */
  keep<T extends Json>(asked: RecordedRequest, gave: T): T {
    const { kind, key, n } = asked;
    const request = this.#mask(asked.asked);
    const stored = JSON.parse(JSON.stringify(this.#mask(gave)));
    const shared = shareParts(request, (value) => this.#part(value));
    this.#write({
      type: 'answer',
      kind,
      key,
      n,
      digest: digestOf(request),
      asked: shared,
      gave: kind === 'tools' ? shareGiven(stored, (value) => this.#part(value)) : stored,
    });
    return stored;
  }

  /**
   * Keeps that a limit around this call cut it off. What ends the run with the call is not kept.
   */
  keepCut(asked: RecordedRequest, signal: AbortSignal): void {
    if (signal.reason instanceof CutOff) this.keep<JsonObject>(asked, CUT);
  }

  /**
   * For what is thrown in the place of an answer: keeps it, and throws it on. What ends the run
   * with the call (`signal`) is not kept.
   */
  keepThrown(asked: RecordedRequest, signal?: AbortSignal): (error: unknown) => never {
    return (error) => {
      if (signal?.aborted !== true) this.keep<JsonObject>(asked, { error: encodeError(error) });
      throw error;
    };
  }

  /** The run is over: masks what was learnt too late, and writes the last line. */
  finish(end: Pick<CassetteEnd, 'status' | 'reason'>): void {
    const last: CassetteEnd = { type: 'end', ...end, lines: this.#lines };
    if (this.#state === 'open') this.#remask(last);
    this.leave();
  }

  /** Closes the file as it is: without a last line a replay refuses it. */
  leave(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    closeSync(this.#fd);
  }

  /** Closes and removes it: no run was started. */
  discard(): void {
    this.leave();
    rmSync(this.#file, { force: true });
  }

  #part(value: Json): string {
    const digest = digestOf(value);
    if (!this.#known.has(digest)) this.#write({ type: 'part', digest, value });
    this.#known.add(digest);
    return digest;
  }

  #write(line: CassetteLine): void {
    this.#attempt(() => {
      appendDurably(this.#fd, textOf(line));
      this.#lines += 1;
    });
  }

  /**
   * A credential that resolved only after a text with it had been written: that text is masked
   * before the file counts as whole.
   */
  #remask(last: CassetteEnd): void {
    this.#attempt(() => {
      const before = readFileSync(this.#file, 'utf8');
      // Written by this writer, line by line.
      const lines = before
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as CassetteLine);
      const masked = maskLines(lines, this.#mask);
      const end = textOf(last);
      if (masked.map(textOf).join('') === before) appendDurably(this.#fd, end);
      else replaceFile(this.#file, withDigests(masked).map(textOf).join('') + end);
    });
  }

  /**
   * The run is worth more than its recording: it goes on, and the file stays without a last line.
   */
  #attempt(write: () => void): void {
    if (this.#state !== 'open') return;
    try {
      write();
    } catch (error) {
      this.#state = 'broken';
      this.#log.warn('the recording is incomplete: its file could not be written', {
        file: this.#file,
        error: messageOf(error),
      });
    }
  }
}

const textOf = (line: CassetteLine): string => `${JSON.stringify(line)}\n`;

const maskLines = (lines: readonly CassetteLine[], mask: Mask): readonly CassetteLine[] =>
  lines.map((line) => mask(line as unknown as JsonObject) as unknown as CassetteLine);

/**
 * Requests are looked up by what is left of them: a replay asks with the mask where the secret
 * stood.
 */
function withDigests(lines: readonly CassetteLine[]): readonly CassetteLine[] {
  const parts = new Map(lines.flatMap((line) => (line.type === 'part' ? [[line.digest, line.value] as const] : [])));
  return lines.map((line) =>
    line.type === 'answer' ? { ...line, digest: digestOf(restoreParts(line.asked, parts)) } : line,
  );
}
