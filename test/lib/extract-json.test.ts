import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractJson } from '../../src/lib/extract-json.js';

describe('extractJson', () => {
  it('reads text that is JSON alone', () => {
    expect(extractJson(' {"a": 1}\n')).toEqual({ found: true, value: { a: 1 }, how: 'whole' });
    expect(extractJson('"just a string"')).toEqual({ found: true, value: 'just a string', how: 'whole' });
  });

  it.each(['true', 'null', ' -1.5e3 ', '[]', '""'])('reads %s alone', (text) => {
    expect(extractJson(text)).toEqual({ found: true, value: JSON.parse(text), how: 'whole' });
  });

  it.each(['nullify', 'trues', 'not yet', '-', '"open', '1 or 2'])('does not take %s for JSON', (text) => {
    expect(extractJson(text)).toEqual({ found: false });
  });

  it('reads a code fence with and without a language', () => {
    expect(extractJson('Here:\n```json\n{"a": [1, 2]}\n```\nDone.')).toEqual({
      found: true,
      value: { a: [1, 2] },
      how: 'fence',
    });
    expect(extractJson('```\n{"a": 1}\n```')).toEqual({ found: true, value: { a: 1 }, how: 'fence' });
    expect(extractJson('```json {"a": 1}```')).toEqual({ found: true, value: { a: 1 }, how: 'fence' });
  });

  it('prefers an object between words to an array that stands before it', () => {
    expect(extractJson('See [1]: the answer is {"a": {"b": "}"}} as asked.')).toEqual({
      found: true,
      value: { a: { b: '}' } },
      how: 'embedded',
    });
  });

  it('passes over braces that are not JSON', () => {
    expect(extractJson('use {curly} braces, then {"ok": true}')).toEqual({
      found: true,
      value: { ok: true },
      how: 'embedded',
    });
  });

  it('finds nothing in prose, in nothing and in cut JSON', () => {
    expect(extractJson('no data here')).toEqual({ found: false });
    expect(extractJson('')).toEqual({ found: false });
    expect(extractJson('{"a": 1')).toEqual({ found: false });
  });

  it('finds any object again between words', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const result = extractJson(`Sure, here you go:\n${text}\nAnything else?`);
        expect(result).toEqual({ found: true, value: JSON.parse(text), how: 'embedded' });
      }),
    );
  });

  it('costs a flood of open braces in proportion to its length', () => {
    // Processor time, least of five: what else the machine does counts in neither.
    const costOf = (braces: number): number => {
      const text = '{'.repeat(braces);
      const rounds = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        expect(extractJson(text)).toEqual({ found: false });
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...rounds);
    };
    // Four times as long; a scan for each brace would cost sixteen times as much.
    expect(costOf(200_000) / costOf(50_000)).toBeLessThan(10);
  });
});
