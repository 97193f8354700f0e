import { sha256Hex } from './sha256.js';

/** One place in a trace, as W3C Trace Context names it. */
export interface TraceContext {
  /** 32 lower-case hex digits, not all 0. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all 0. */
  readonly spanId: string;
  /** What the flags say; false: whoever began the trace does not record it. */
  readonly isSampled: boolean;
}

/**
 * Of a later version only what version 00 has is read; more may follow behind a dash (W3C Trace
 * Context 3.2, 4.3).
 */
const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What a `traceparent` says; null for one that is none: it is ignored, as if nothing had come. */
export function parseTraceParent(text: string | null | undefined): TraceContext | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = SHAPE.exec(text?.trim() ?? '') ?? [];
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` of a place, in version 00. */
export const formatTraceParent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The same `traceparent` in the form of version 00; null for one that is none. */
export function acceptTraceParent(text: string | null | undefined): string | null {
  const context = parseTraceParent(text);
  return context === null ? null : formatTraceParent(context);
}

/** A trace id that everybody derives alike from one text. */
export const traceIdFrom = (text: string): string => notZero(sha256Hex(`trace\n${text}`).slice(0, 32));

/** A span id that everybody derives alike from a text and a path below it. */
export const spanIdFrom = (text: string, path: string): string =>
  notZero(sha256Hex(`span\n${text}\n${path}`).slice(0, 16));

/** All zeros means "none". */
const notZero = (id: string): string => (/^0+$/.test(id) ? `${id.slice(1)}1` : id);
