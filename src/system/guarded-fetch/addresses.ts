import { BlockList, isIP } from 'node:net';
import type { OutboundRules } from '../../domain/ports/outbound.js';

/** Whose an address is. `never`: link-local, metadata services, multicast, nobody's. */
type Reach = 'public' | 'loopback' | 'private' | 'never';

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  return list;
};

/** False: it is neither an address nor a range. */
function addRange(list: BlockList, range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const family = familyOf(address);
  if (family === null || rest.length > 0) return false;
  const bits = prefix === undefined ? (family === 'ipv4' ? 32 : 128) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (bits < 0 || bits > (family === 'ipv4' ? 32 : 128)) return false;
  list.addSubnet(address, bits, family);
  return true;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}

/** Metadata services of clouds stand among them, whatever range they lie in. */
const NEVER = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::',
  'fe80::/10',
  'fd00:ec2::254',
  'fd20:ce::254',
  'ff00::/8',
]);
const LOOPBACK = listOf(['127.0.0.0/8', '::1']);
/** Also ranges for examples, benchmarks and carriers: nobody outside has one of them. */
const PRIVATE = listOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fec0::/10',
]);

/** Sixteen bytes of an IPv6 address; `node:net` has said that it is one. */
function groupsOf(address: string): readonly number[] {
  // URL writes it canonically: hexadecimal groups, one `::` at most, no dotted tail.
  const text = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The IPv4 address that an IPv6 address stands for: mapped, compatible, NAT64, 6to4; else null. */
function embedded(address: string): string | null {
  const groups = groupsOf(address);
  const [first = 0, second = 0, third = 0, , , sixth = 0, seventh = 0, eighth = 0] = groups;
  if (first === 0x2002) return dotted(second, third);
  if (first === 0x64 && second === 0xff9b) return dotted(seventh, eighth);
  const isZero = groups.slice(0, 5).every((group) => group === 0);
  if (!isZero || (sixth !== 0 && sixth !== 0xffff)) return null;
  // `::` and `::1` are themselves.
  return sixth === 0 && seventh === 0 && eighth <= 1 ? null : dotted(seventh, eighth);
}

/** Whose the address is; text that is not an address is nobody's. */
export function reachOf(address: string): Reach {
  const family = familyOf(address);
  if (family === null) return 'never';
  const inner = family === 'ipv6' ? embedded(address) : null;
  if (inner !== null) return reachOf(inner);
  if (NEVER.check(address, family)) return 'never';
  if (LOOPBACK.check(address, family)) return 'loopback';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/** Why an address of a host is not called; null = it may be. */
export type AddressJudge = (host: string, address: string) => string | null;

/** The judgement of `server.outbound` and of where the process listens. */
export function createAddressJudge({ isLocal, allow }: OutboundRules): AddressJudge {
  const ranges = new BlockList();
  const names = new Set(allow.filter((entry) => !addRange(ranges, entry)).map((name) => name.toLowerCase()));
  const isListed = (host: string, address: string): boolean =>
    names.has(host.toLowerCase()) || ranges.check(address, familyOf(address) ?? 'ipv4');
  return (host, address) => {
    switch (reachOf(address)) {
      case 'public':
        return null;
      case 'loopback':
        return isLocal ? null : 'is an address of this machine';
      case 'private':
        return isLocal || isListed(host, address) ? null : 'is an address of a private network';
      case 'never':
        return 'is a link-local, metadata or reserved address';
    }
  };
}
