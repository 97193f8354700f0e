import { describe, expect, it } from 'vitest';
import { readTar } from '../../src/lib/tar.js';
import { tarOf } from '../support/tar-of.js';

const paths = (bytes: Uint8Array) => readTar(bytes, 100).map(({ path, kind, target }) => ({ path, kind, target }));

describe('a tar archive', () => {
  it('gives files, links and everything else with the names that stand there', () => {
    const bytes = tarOf([
      { path: 'package/a.txt', text: 'one' },
      { path: 'package/../../b', text: '' },
      { path: 'package/l', type: '2', target: '/etc/passwd' },
      { path: 'package/h', type: '1', target: 'package/a.txt' },
      { path: 'package/dev', type: '3' },
      { path: 'package/', type: '5' },
    ]);
    expect(paths(bytes)).toEqual([
      { path: 'package/a.txt', kind: 'file', target: null },
      { path: 'package/../../b', kind: 'file', target: null },
      { path: 'package/l', kind: 'link', target: '/etc/passwd' },
      { path: 'package/h', kind: 'other', target: null },
      { path: 'package/dev', kind: 'other', target: null },
      { path: 'package/', kind: 'folder', target: null },
    ]);
    expect(new TextDecoder().decode(readTar(bytes, 100)[0]?.body)).toBe('one');
  });

  it('has long names of pax and of GNU, which hold for one entry', () => {
    const long = `package/${'x'.repeat(200)}`;
    const record = ` path=${long}\n`;
    const length = record.length + 3;
    const bytes = tarOf([
      { path: 'pax', type: 'x', text: `${length}${record}` },
      { path: 'short', text: 'a' },
      { path: 'gnu', type: 'L', text: `${long}2\0` },
      { path: 'short', text: 'b' },
      { path: 'last', text: 'c' },
    ]);
    expect(paths(bytes).map(({ path }) => path)).toEqual([long, `${long}2`, 'last']);
  });

  it.each([
    ['no archive', new Uint8Array(512).fill(65)],
    ['a body that is cut off', tarOf([{ path: 'a', text: 'x'.repeat(600) }]).subarray(0, 700)],
    ['a negative record', tarOf([{ path: 'pax', type: 'x', text: '-5 path=x\n' }])],
    ['a record beyond its end', tarOf([{ path: 'pax', type: 'x', text: '99 path=x\n' }])],
  ])('is refused: %s', (_, bytes) => {
    expect(() => readTar(bytes, 100)).toThrow(/archive/);
  });

  it('is refused with more entries than asked for', () => {
    expect(() => readTar(tarOf([{ path: 'a' }, { path: 'b' }]), 1)).toThrow('it holds more than 1 entries');
  });
});
