import { describe, expect, it } from 'vitest';
import { createPageGuard, type PageRules } from '../../../plugins/serve/src/server/page-guard.js';

type Settings = PageRules & { readonly corsOrigins: readonly string[] };

const LOCAL: Settings = { isHostChecked: true, allowedHosts: [], publicUrl: null, corsOrigins: [] };
const NAMED: Settings = {
  ...LOCAL,
  allowedHosts: ['kit.lan', 'box.lan:8443', '[fd00::1]'],
  publicUrl: 'https://kit.example.com/base',
};
const ELSEWHERE: Settings = { ...LOCAL, isHostChecked: false };
const LISTED: Settings = { ...LOCAL, corsOrigins: ['https://app.example.com'] };
const ANY: Settings = { ...LOCAL, corsOrigins: ['*'] };

interface Row {
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
}

const verdict = (settings: Settings, { host, origin, site }: Row): string =>
  createPageGuard(
    settings,
    settings.corsOrigins,
  )({
    ...(host === undefined ? {} : { host }),
    ...(origin === undefined ? {} : { origin }),
    ...(site === undefined ? {} : { 'sec-fetch-site': site }),
  })?.code ?? 'in';

describe('the Host of a request', () => {
  it.each<[string, Settings, string, string]>([
    ['this machine', LOCAL, 'localhost:8000', 'in'],
    ['in capitals', LOCAL, 'LOCALHOST:8000', 'in'],
    ['its address', LOCAL, '127.0.0.1:8000', 'in'],
    ['its address, IPv6', LOCAL, '[::1]:8000', 'in'],
    ['a name of a page', LOCAL, 'evil.example:8000', 'KIT_HOST_REFUSED'],
    ['a name that begins alike', LOCAL, 'localhost.evil.example', 'KIT_HOST_REFUSED'],
    ['a name that ends alike', LOCAL, 'evil-localhost', 'KIT_HOST_REFUSED'],
    ['a name behind credentials', LOCAL, 'localhost@evil.example', 'KIT_HOST_REFUSED'],
    ['credentials before a known name', LOCAL, 'evil.example@localhost', 'KIT_HOST_REFUSED'],
    ['a path behind a known name', LOCAL, 'localhost/evil', 'KIT_HOST_REFUSED'],
    ['an empty one', LOCAL, '', 'KIT_HOST_REFUSED'],
    ['another address', LOCAL, '10.0.0.7:8000', 'KIT_HOST_REFUSED'],
    ['a listed name, any port', NAMED, 'kit.lan:1', 'in'],
    ['a listed name with its port', NAMED, 'box.lan:8443', 'in'],
    ['a listed name with another port', NAMED, 'box.lan:8444', 'KIT_HOST_REFUSED'],
    ['a listed address', NAMED, '[fd00::1]:8000', 'in'],
    ['the public name', NAMED, 'kit.example.com', 'in'],
    ['any name, where others reach the address', ELSEWHERE, 'box.lan:8000', 'in'],
  ])('%s', (_name, settings, host, expected) => {
    expect(verdict(settings, { host })).toBe(expected);
  });
});

describe('the page that a request comes from', () => {
  const host = 'localhost:8000';
  it.each<[string, Settings, Row, string]>([
    ['none', LOCAL, { host }, 'in'],
    ['none, and no Host', LOCAL, {}, 'in'],
    ['our own', LOCAL, { host, origin: 'http://localhost:8000', site: 'same-origin' }, 'in'],
    ['our own, behind TLS', LOCAL, { host: 'localhost', origin: 'https://localhost' }, 'in'],
    ['typed into the address bar', LOCAL, { host, site: 'none' }, 'in'],
    ['another port of this machine', LOCAL, { host, origin: 'http://localhost:3000' }, 'KIT_ORIGIN_REFUSED'],
    ['this machine by another name', LOCAL, { host, origin: 'http://127.0.0.1:8000' }, 'KIT_ORIGIN_REFUSED'],
    ['a foreign one', LOCAL, { host, origin: 'https://evil.example' }, 'KIT_ORIGIN_REFUSED'],
    ['a sandboxed one', LOCAL, { host, origin: 'null' }, 'KIT_ORIGIN_REFUSED'],
    ['one with a path', LOCAL, { host, origin: 'http://localhost:8000/' }, 'KIT_ORIGIN_REFUSED'],
    ['an extension', LOCAL, { host, origin: 'chrome-extension://localhost:8000' }, 'KIT_ORIGIN_REFUSED'],
    ['a foreign one that only links', LOCAL, { host, site: 'cross-site' }, 'KIT_ORIGIN_REFUSED'],
    ['a listed one', LISTED, { host, origin: 'https://app.example.com', site: 'cross-site' }, 'in'],
    [
      'one that only begins as a listed one',
      LISTED,
      { host, origin: 'https://app.example.com.evil' },
      'KIT_ORIGIN_REFUSED',
    ],
    ['our own, beside a listed one', LISTED, { host, origin: 'http://localhost:8000' }, 'in'],
    ['any', ANY, { host, origin: 'https://evil.example', site: 'cross-site' }, 'in'],
    ['any, that only links', ANY, { host, site: 'cross-site' }, 'in'],
    [
      'any, by a name that is not ours',
      ANY,
      { host: 'evil.example', origin: 'http://evil.example' },
      'KIT_HOST_REFUSED',
    ],
    ['the public one', NAMED, { host: 'kit.lan', origin: 'https://kit.example.com' }, 'in'],
    [
      'a foreign one, where others reach the address',
      ELSEWHERE,
      { host, origin: 'https://evil.example' },
      'KIT_ORIGIN_REFUSED',
    ],
  ])('%s', (_name, settings, row, expected) => {
    expect(verdict(settings, row)).toBe(expected);
  });
});
