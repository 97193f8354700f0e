import type { Json } from '../domain/json.js';
import { stepSpan } from '../domain/trace.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { sha256Hex } from '../lib/sha256.js';
import { formatTraceParent, parseTraceParent, spanIdFrom, traceIdFrom } from '../lib/trace-context.js';

/** Digest of what a step calls with which arguments (docs/design/journal.md#identity). */
export function identityDigest(kind: string, identity: Json): string {
  const text = `${kind}\n${canonicalJson(identity)}`;
  if (text.length > MAX_KNOWN_CHARS) return sha256Hex(text);
  const known = knownDigests.get(text);
  if (known !== undefined) return known;
  if (knownDigests.size >= MAX_KNOWN) knownDigests.clear();
  const digest = sha256Hex(text);
  knownDigests.set(text, digest);
  return digest;
}

/** The agents of a topology make the same short calls in each of its runs. */
const knownDigests = new Map<string, string>();
const MAX_KNOWN = 512;
const MAX_KNOWN_CHARS = 256;

/**
 * The same on every attempt of a step, so that the other side can deduplicate
 * (docs/design/journal.md#in-doubt).
 */
export function stepIdOf(jobId: string, key: string): string {
  return sha256Hex(`step\n${jobId}\n${key}`).slice(0, 32);
}

/** Id of the run that a call asks for: the same whenever the call is come by. */
export function childIdOf(jobId: string, key: string): string {
  return sha256Hex(`child\n${jobId}\n${key}`).slice(0, 12);
}

/**
 * The ids of the events of one attempt of a step, by their place in it
 * (docs/design/journal.md#derived-ids): the digest that is the step's own id, counted on from. So
 * an event has the same id whoever writes it, how often ever, and costs no digest of its own.
 * Sixteen million events of an attempt have different ids.
 *
 * They have the shape of a version 4 UUID and begin with the job's id: those of one run lie side by
 * side in the log's index, and a commit writes one page of it instead of one for each event.
 */
export function eventIdsOf(step: {
  readonly jobId: string;
  readonly stepId: string;
  readonly attempt: number;
}): (index: number) => string {
  const job = JOB_ID.test(step.jobId) ? step.jobId : sha256Hex(step.jobId);
  const hex = STEP_ID.test(step.stepId) ? step.stepId : sha256Hex(step.stepId);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const begin = `${job.slice(0, 8)}-${job.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-`;
  const first = Number.parseInt(hex.slice(20, 32), 16) + step.attempt * EVENTS_OF_AN_ATTEMPT;
  return (index) => begin + ((first + index) % NODES).toString(16).padStart(12, '0');
}

const EVENTS_OF_AN_ATTEMPT = 2 ** 24;

/** The last group of a UUID holds 48 bits; sums with it stay whole numbers. */
const NODES = 2 ** 48;

/** As `stepIdOf` makes them; a test or a plugin may hold others. */
const STEP_ID = /^[0-9a-f]{32}$/;

/** As kit makes them (docs/design/decisions.md#job-ids); a store may hold others. */
const JOB_ID = /^[0-9a-f]{12}$/;

/**
 * A number in [0, 1) that is the same on every replay: jitter and choices never use a random source
 * (docs/design/journal.md#derived-ids).
 */
export function fractionOf(seed: string): number {
  return Number.parseInt(sha256Hex(seed).slice(0, 8), 16) / 0x1_0000_0000;
}

/**
 * The `traceparent` of one step. It derives from the run and the step alone, so that whoever
 * exports the run later tells of the same spans; whether they are recorded is decided where the
 * trace began.
 */
export function stepTraceParent(of: {
  readonly jobId: string;
  readonly traceParent: string | null;
  readonly key: string;
  readonly attempt: number;
}): string {
  const given = parseTraceParent(of.traceParent);
  return formatTraceParent({
    traceId: given?.traceId ?? traceIdFrom(of.jobId),
    spanId: spanIdFrom(of.jobId, stepSpan(of.key, of.attempt)),
    isSampled: given?.isSampled ?? true,
  });
}
