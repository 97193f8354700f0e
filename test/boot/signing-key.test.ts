import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSigner } from '../../src/boot/signing-key.js';
import { isSignedBy, publicKeyOf } from '../../src/lib/ed25519.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kit-signing-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const pemOf = (type: 'ed25519' | 'rsa'): string => {
  const { privateKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
};
const path = (): string => join(home, 'kit', 'signing-key.pem');

describe('the signing key', () => {
  it('is made on first use for the owner alone, and stays the same', () => {
    const env = { XDG_CONFIG_HOME: home };
    const first = openSigner(env);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(openSigner(env).publicKey).toBe(first.publicKey);
    expect(first.source).toBe(path());
  });

  it('signs what its public key verifies, and nothing else', () => {
    const signer = openSigner({ XDG_CONFIG_HOME: home });
    const key = publicKeyOf(signer.publicKey) ?? new Uint8Array();
    const { value, publicKey, keyId } = signer.sign('approved');
    expect({ publicKey, keyId }).toEqual({ publicKey: signer.publicKey, keyId: signer.keyId });
    expect(isSignedBy(key, 'approved', value)).toBe(true);
    expect(isSignedBy(key, 'rejected', value)).toBe(false);
  });

  it('comes from KIT_SIGNING_KEY as text or as the path of a file', () => {
    const pem = pemOf('ed25519');
    const file = join(home, 'own.pem');
    writeFileSync(file, pem, { mode: 0o600 });
    const byText = openSigner({ XDG_CONFIG_HOME: home, KIT_SIGNING_KEY: pem });
    const byFile = openSigner({ XDG_CONFIG_HOME: home, KIT_SIGNING_KEY: file });
    expect(byText.publicKey).toBe(byFile.publicKey);
    expect([byText.source, byFile.source]).toEqual(['KIT_SIGNING_KEY', file]);
    expect(statSync(path(), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each([
    ['a file that others can read', () => chmodSync(path(), 0o640), /others than its owner can read/],
    ['a file that holds something else', () => writeFileSync(path(), 'no key'), /holds no Ed25519 private key/],
    ['a key of another kind', () => writeFileSync(path(), pemOf('rsa')), /holds no Ed25519 private key/],
  ])('is refused: %s, without a word of what it holds', (_, spoil, message) => {
    openSigner({ XDG_CONFIG_HOME: home });
    spoil();
    const held = readFileSync(path(), 'utf8');
    expect(() => openSigner({ XDG_CONFIG_HOME: home })).toThrow(
      expect.objectContaining({ code: 'KIT_SIGNING_KEY_INVALID', message: expect.stringMatching(message) }),
    );
    expect(() => openSigner({ XDG_CONFIG_HOME: home })).not.toThrow(held);
  });

  it('is refused where KIT_SIGNING_KEY names no file or is not a key', () => {
    for (const value of [join(home, 'none.pem'), '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----'])
      expect(() => openSigner({ KIT_SIGNING_KEY: value })).toThrow(
        expect.objectContaining({ code: 'KIT_SIGNING_KEY_INVALID', message: expect.not.stringContaining('secret') }),
      );
  });
});
