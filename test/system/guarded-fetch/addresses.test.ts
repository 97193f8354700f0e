import { expect, test } from 'vitest';
import { createAddressJudge, reachOf } from '../../../src/system/guarded-fetch/addresses.js';

test.each([
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1::1', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.1.2', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['2002:a00:1::', 'private'],
  ['169.254.169.254', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['64:ff9b::a9fe:a9fe', 'never'],
  ['2002:a9fe:a9fe::', 'never'],
  ['::a9fe:a9fe', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['fd00:ec2::254', 'never'],
  ['100.100.100.200', 'never'],
  ['168.63.129.16', 'never'],
  ['0.0.0.0', 'never'],
  ['::', 'never'],
  ['255.255.255.255', 'never'],
  ['224.0.0.1', 'never'],
  ['localhost', 'never'],
  ['', 'never'],
])('%s is %s', (address, reach) => {
  expect(reachOf(address)).toBe(reach);
});

test('a server that others reach calls public addresses, and private ones that are listed', () => {
  const judge = createAddressJudge({
    isLocal: false,
    allow: ['10.2.0.0/16', 'Peer.internal', 'fd12::/16', '192.168.7.7'],
  });
  expect(judge('x.example', '93.184.216.34')).toBeNull();
  expect(judge('x.example', '10.2.3.4')).toBeNull();
  expect(judge('x.example', '10.3.3.4')).toContain('private');
  expect(judge('peer.internal', '172.16.0.1')).toBeNull();
  expect(judge('x.example', 'fd12::7')).toBeNull();
  expect(judge('x.example', '192.168.7.7')).toBeNull();
  expect(judge('x.example', '192.168.7.8')).toContain('private');
  // Nothing lists this machine or its link.
  expect(judge('peer.internal', '127.0.0.1')).toContain('this machine');
  expect(judge('peer.internal', '169.254.169.254')).toContain('link-local');
});

test('whoever sits at this machine reaches it and its networks, and no metadata service', () => {
  const judge = createAddressJudge({ isLocal: true, allow: ['169.254.0.0/16'] });
  expect(judge('localhost', '127.0.0.1')).toBeNull();
  expect(judge('box', '10.0.0.1')).toBeNull();
  expect(judge('169.254.169.254', '169.254.169.254')).toContain('metadata');
});
