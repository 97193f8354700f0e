import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactRef, parseArtifactRef, refWithDigest } from '../../src/domain/artifact-ref.js';

const DIGEST = '0123456789abcdef'.repeat(4);

describe('a ref of an artifact', () => {
  it('names correlation, run and name, and encodes what would end a segment', () => {
    expect(artifactRef({ correlation: 'team/1', runId: 'a1b2', name: '50% #1' })).toBe('team%2F1/a1b2/50%25 %231');
    expect(refWithDigest({ ref: 'c/r/n', sha256: DIGEST })).toBe('c/r/n#0123456789ab');
  });

  it('is read back as it was written, whatever is in it', () => {
    const segment = fc.string({ minLength: 1, unit: 'binary' });
    fc.assert(
      fc.property(
        segment,
        segment,
        segment,
        fc.option(fc.integer({ min: 12, max: 64 })),
        (correlation, runId, name, chars) => {
          const ref = artifactRef({ correlation, runId, name });
          const digest = chars === null ? null : DIGEST.slice(0, chars);
          expect(parseArtifactRef(digest === null ? ref : `${ref}#${digest}`)).toEqual({
            ref,
            correlation,
            runId,
            name,
            digest,
          });
        },
      ),
    );
  });

  it('may be written with a small letter in an escape: it is the same ref', () => {
    expect(parseArtifactRef('a%2fb/r/n')).toMatchObject({ ref: 'a%2Fb/r/n', correlation: 'a/b' });
  });

  it.each([
    '',
    'run/name',
    'a/b/c/d',
    '/run/name',
    'a//name',
    'a/b/',
    'a/b/c%41',
    'a/b/c%',
    'a/b/c#',
    'a/b/c#0123',
    `a/b/c#${DIGEST}0`,
    'a/b/c#0123456789AB',
    'a/b/c#../../etc',
  ])('is not %j', (text) => {
    expect(parseArtifactRef(text)).toBeNull();
  });
});
