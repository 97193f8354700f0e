import { expect, it } from 'vitest';
import { meetsVersion, versionIn } from '../../src/govern/binary-version.js';

it.each([
  ['git version 2.40.1', '2.40.1'],
  ['jq-1.7.1', '1.7.1'],
  ['v24.21.0', '24.21.0'],
  ['Docker version 29.0.1, build 12ab34c', '29.0.1'],
  ['less 643 (GNU regular expressions)', null],
  ['tool version 7', '7'],
  ['GNU Awk 5.2.1, API 3.2', '5.2.1'],
  ['', null],
  ['no number at all', null],
])('%j says %j', (said, version) => {
  expect(versionIn(said)).toBe(version);
});

it.each([
  ['2.40.1', '>=2.40', true],
  ['2.39.9', '>=2.40', false],
  ['10.0', '>9.9', true],
  ['2.40.5', '>2.40', false],
  ['2.40.5', '<=2.40', true],
  ['2.41', '<=2.40', false],
  ['2.40.5', '==2.40', true],
  ['2.4', '==2.40', false],
  ['2', '==2.0.0', true],
  ['1.9', '< 2', true],
  ['2.0', '<2', false],
  ['2.0', '~2', false],
  ['2.0', '2.0', false],
])('version %s and the wish %s: %s', (found, wanted, isMet) => {
  expect(meetsVersion(found, wanted)).toBe(isMet);
});
