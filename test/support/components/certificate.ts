import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** PEM, as a server of TLS takes it; the certificate is its own authority. */
export interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;

/** A value of DER: its tag, the length of what it holds, and that. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const held = Buffer.concat(parts);
  const long = held.length < 256 ? [0x81, held.length] : [0x82, held.length >> 8, held.length & 255];
  return Buffer.concat([Buffer.from([tag, ...(held.length < 128 ? [held.length] : long)]), held]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const octets = (...parts: readonly Buffer[]): Buffer => der(0x04, ...parts);
const bits = (value: Buffer): Buffer => der(0x03, Buffer.from([0]), value);
const TRUE = der(0x01, Buffer.from([0xff]));

/** `2.5.4.3`, each number below 128 behind the first two. */
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11);

/** `261126163550Z` */
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

/** A certificate for a name of a host, made here, good for a day; no program is asked for it. */
export function makeCertificate(host: string): OwnCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(COMMON_NAME, text(host))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
    sequence(ALTERNATIVE_NAME, octets(sequence(der(0x82, Buffer.from(host))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, privateKey)));
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
