import { describe, expect, it } from 'vitest';
import { baseUrl } from '../../src/view/base-url.js';

const NAMES = { publicUrl: null, allowedHosts: ['kit.example', 'agents.example:8443'] };
const AT = { host: 'localhost:8000', localAddress: '127.0.0.1', localPort: 8000 };

describe('the address of a server', () => {
  it.each([
    ['a name of this machine', { ...AT, host: 'localhost:9' }, 'http://localhost:9'],
    ['the other names of this machine', { ...AT, host: '[::1]:8000' }, 'http://[::1]:8000'],
    ['an allowed name, with any port', { ...AT, host: 'KIT.example:81' }, 'http://kit.example:81'],
    ['an allowed name with its port', { ...AT, host: 'agents.example:8443' }, 'http://agents.example:8443'],
  ])('is the Host of the request: %s', (_, reached, expected) => {
    expect(baseUrl(NAMES, reached)).toBe(expected);
  });

  it.each([
    ['an unknown name', 'evil.example'],
    ['an allowed name with another port', 'agents.example:1'],
    ['a path behind the name', 'localhost/evil'],
    ['a user before the name', 'localhost@evil.example'],
    ['no name', ''],
    ['no Host', undefined],
  ])('is the address that the request came in at, with %s as Host', (_, host) => {
    expect(baseUrl(NAMES, { ...AT, host })).toBe('http://127.0.0.1:8000');
  });

  it('tells addresses of a dual socket, and of IPv6, as clients call them', () => {
    const at = (localAddress: string) => baseUrl(NAMES, { host: undefined, localAddress, localPort: 8000 });

    expect([at('::ffff:10.0.0.7'), at('2001:db8::7')]).toEqual(['http://10.0.0.7:8000', 'http://[2001:db8::7]:8000']);
  });

  it('is server.public_url whatever the Host, without a slash at its end', () => {
    expect(baseUrl({ ...NAMES, publicUrl: 'https://kit.example/team/' }, AT)).toBe('https://kit.example/team');
  });
});
