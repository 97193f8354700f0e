import { describe, expect, it } from 'vitest';
import { postgresLocation, shownUrl, withoutPasswords } from '../../src/lib/show-url.js';

describe('URLs for people', () => {
  it.each([
    [
      'postgres://kit:s3cret@db:5432/runs?password=s3cret&sslmode=require#s3cret',
      'postgres://***@db:5432/runs?password=***&sslmode=***',
    ],
    ['https://s3cret@host/path', 'https://***@host/path'],
    ['http://localhost:11434', 'http://localhost:11434/'],
    ['postgres://kit:12/s3cret@db/runs', null],
    ['s3cret', null],
    ['mailto:s3cret', null],
  ])('shows %s as %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it('takes passwords out of text around a URL, and leaves other text alone', () => {
    expect(withoutPasswords('see https://u:s3cret@h/x and http://a:s3c@ret@b')).toBe(
      'see https://***@h/x and http://***@b',
    );
    expect(withoutPasswords('no URL: at all')).toBe('no URL: at all');
    expect(withoutPasswords('postgres://u:s3/cret@h/x')).toBeNull();
  });

  it('shows a server without its password, and nothing that is not a server', () => {
    expect(postgresLocation('postgresql://kit:s3cret@db/runs?host=/run/postgres')).toBe(
      'postgres://kit@/run/postgres/runs',
    );
    expect(postgresLocation('mysql://db/runs')).toBeNull();
  });
});
