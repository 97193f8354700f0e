import { describe, expect, it } from 'vitest';
import {
  acceptTraceParent,
  formatTraceParent,
  parseTraceParent,
  spanIdFrom,
  traceIdFrom,
} from '../../src/lib/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [` 00-${TRACE}-${SPAN}-01 `, true],
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-what-comes-later`, true],
  ])('is read: %s', (text, isSampled) => {
    expect(parseTraceParent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    '',
    'hello',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('that is none is as if nothing had come: %j', (text) => {
    expect(parseTraceParent(text)).toBeNull();
    expect(acceptTraceParent(text)).toBeNull();
  });

  it('is passed on in the form of version 00', () => {
    expect(acceptTraceParent(`cc-${TRACE}-${SPAN}-03-more`)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(acceptTraceParent(null)).toBeNull();
    expect(acceptTraceParent(undefined)).toBeNull();
  });

  it('is made of derived ids that are none of the forbidden ones', () => {
    const traceId = traceIdFrom('a');
    const made = formatTraceParent({ traceId, spanId: spanIdFrom('a', 'root'), isSampled: true });

    expect(parseTraceParent(made)).toEqual({ traceId, spanId: spanIdFrom('a', 'root'), isSampled: true });
    expect(traceIdFrom('b')).not.toBe(traceId);
    expect(spanIdFrom('a', 'root/d0')).not.toBe(spanIdFrom('a', 'root'));
  });
});
