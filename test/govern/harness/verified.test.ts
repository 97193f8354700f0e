import { expect, it } from 'vitest';
import { semverIn, unverified, verifiedOf } from '../../../src/govern/harness/verified.js';

it('finds the version in what programs say of themselves', () => {
  expect(semverIn('2.1.332 (Claude Code)')).toBe('2.1.332');
  expect(semverIn('codex-cli 0.169.0')).toBe('0.169.0');
  expect(semverIn('GitHub Copilot CLI 1.0.102.\nCommit: 1')).toBe('1.0.102');
  expect(semverIn('0.62.0-nightly.1')).toBe('0.62.0-nightly.1');
  expect(semverIn('no version here')).toBeNull();
});

it('says why a version is not one that was verified', () => {
  const verified = verifiedOf({ verified: { range: '>=2.1.197 <2.2' } });
  expect(unverified(verified, '2.1.332 (Claude Code)')).toBeNull();
  expect(unverified(verified, '2.2.0')).toBe('2.2.0 is installed, and the adapter was verified with >=2.1.197 <2.2');
  expect(unverified(verified, null)).toContain('is not known');
  expect(unverified(verifiedOf({}), '9.9.9')).toBeNull();
});
