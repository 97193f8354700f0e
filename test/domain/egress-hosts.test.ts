import { describe, expect, it } from 'vitest';
import { isAllowedHost, readAllowedHost } from '../../src/domain/egress-hosts.js';

describe('a host that a container may reach', () => {
  it.each([
    ['API.Example.org', { name: 'api.example.org', isBelow: false, port: 443 }],
    ['*.example.org', { name: 'example.org', isBelow: true, port: 443 }],
    ['api.example.org:8443', { name: 'api.example.org', isBelow: false, port: 8443 }],
    ['xn--bcher-kva.example', { name: 'xn--bcher-kva.example', isBelow: false, port: 443 }],
  ])('is written %s', (entry, host) => {
    expect(readAllowedHost(entry)).toEqual(host);
  });

  it.each([
    'https://api.example.org',
    '10.0.0.1',
    '0x7f.1',
    '[::1]:443',
    '::1',
    'localhost',
    '*',
    '*.org.*',
    'bücher.example',
    'api.example.org:0',
    'api.example.org:99999',
    '',
    `${'a'.repeat(64)}.example.org`,
    '-a.example.org',
  ])('is not written %j', (entry) => {
    expect(readAllowedHost(entry)).toEqual({ problem: expect.any(String) });
  });

  it('is one of its name and port, or below its name', () => {
    const below = [{ name: 'example.org', isBelow: true, port: 443 }];

    expect(isAllowedHost(below, { name: 'a.b.example.org', port: 443 })).toBe(true);
    expect(isAllowedHost(below, { name: 'example.org', port: 443 })).toBe(false);
    expect(isAllowedHost(below, { name: 'evilexample.org', port: 443 })).toBe(false);
    expect(isAllowedHost(below, { name: 'a.example.org', port: 80 })).toBe(false);
  });
});
