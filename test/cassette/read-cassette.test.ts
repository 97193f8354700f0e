import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CASSETTE_FORMAT } from '../../src/cassette/format.js';
import { parseCassette, readCassette } from '../../src/cassette/read-cassette.js';
import { isKitError } from '../../src/domain/errors.js';
import { ENGINE } from '../../src/domain/journal.js';
import { aCassette, HEADER } from './samples.js';

const codeOf = (text: string): string | null => {
  try {
    parseCassette(text, 'x.cassette');
    return null;
  } catch (error) {
    if (!isKitError(error)) throw error;
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain('x.cassette');
    expect(error.hint).not.toBe('');
    return error.code;
  }
};

const lines = aCassette().split('\n').slice(0, -1);
const header = (over: object): string => `${[JSON.stringify({ ...HEADER, ...over }), ...lines.slice(1)].join('\n')}\n`;

describe('a cassette', () => {
  it('that is whole is read', () => {
    expect(parseCassette(aCassette(), 'x.cassette')).toMatchObject({
      answers: [{ kind: 'model' }, { kind: 'command' }],
      end: { status: 'completed' },
    });
  });

  it.each([
    { what: 'is empty', text: '', code: 'KIT_CASSETTE_INVALID' },
    { what: 'is not JSON', text: 'name: a workspace\n', code: 'KIT_CASSETTE_INVALID' },
    { what: 'is JSON of something else', text: '{"type":"event"}\n', code: 'KIT_CASSETTE_INVALID' },
    { what: 'is binary', text: '\u0000\u0001\ufffd', code: 'KIT_CASSETTE_INVALID' },
    {
      what: 'has a header without members',
      text: '{"type":"kit-cassette","format":1}\n',
      code: 'KIT_CASSETTE_INVALID',
    },
    { what: 'has a format that is none', text: header({ format: '1' }), code: 'KIT_CASSETTE_INVALID' },
    { what: 'has a newer format', text: header({ format: CASSETTE_FORMAT + 1 }), code: 'KIT_CASSETTE_NEWER' },
    {
      what: 'has a newer format and a header of a shape to come',
      text: '{"type":"kit-cassette","format":7}\n',
      code: 'KIT_CASSETTE_NEWER',
    },
    { what: 'is of another engine', text: header({ engine: ENGINE + 1 }), code: 'KIT_CASSETTE_MISMATCH' },
    {
      what: 'has a line that is none',
      text: `${lines[0]}\n{"type":"answer"}\n${lines.slice(2).join('\n')}\n`,
      code: 'KIT_CASSETTE_INVALID',
    },
    { what: 'has only its header', text: `${lines[0]}\n`, code: 'KIT_CASSETTE_CUT' },
    { what: 'lacks its last line', text: `${lines.slice(0, -1).join('\n')}\n`, code: 'KIT_CASSETTE_CUT' },
    {
      what: 'lacks a line in the middle',
      text: `${lines.filter((_line, index) => index !== 2).join('\n')}\n`,
      code: 'KIT_CASSETTE_CUT',
    },
    { what: 'goes on after its last line', text: `${aCassette()}${lines[1]}\n`, code: 'KIT_CASSETTE_CUT' },
  ])('that $what is refused with $code', ({ text, code }) => {
    expect(codeOf(text)).toBe(code);
  });

  it('is refused as cut or as none wherever it is cut, and never read as a shorter one', () => {
    const whole = aCassette();
    for (let length = 0; length < whole.length; length += 1) {
      const code = codeOf(whole.slice(0, length));
      expect([length, code]).toEqual([
        length,
        length < (lines[0]?.length ?? 0) ? 'KIT_CASSETTE_INVALID' : 'KIT_CASSETTE_CUT',
      ]);
    }
  });

  it('that is a directory, or not there, is refused by name', async () => {
    await expect(readCassette('/nonexistent/x.cassette')).rejects.toMatchObject({
      code: 'KIT_CASSETTE_INVALID',
      message: expect.stringContaining('no such file'),
    });
    await expect(readCassette(import.meta.dirname)).rejects.toMatchObject({ code: 'KIT_CASSETTE_INVALID' });
  });

  it('has a page that shows the header as it is written', () => {
    const page = readFileSync(new URL('../../docs/record-and-replay.md', import.meta.url), 'utf8');
    for (const name of Object.keys(HEADER)) expect(page).toContain(`\`${name}\``);
  });
});
