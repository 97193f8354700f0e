import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProofSigner } from '../app/proof/create-proof-app.js';
import { KitError } from '../domain/errors.js';
import { keyIdOf } from '../lib/ed25519.js';
import { userConfigDir } from './settings.js';

/** Bits that let somebody else than the owner read, write or execute. */
const OTHERS = 0o077;

/**
 * The signing key of this user: `KIT_SIGNING_KEY` (a PKCS#8 PEM, or the path of a file that holds
 * one), else `signing-key.pem` in the user's config directory, made on first use with mode 600. It
 * lies outside any workspace, so that who can write a store cannot sign for it. Throws
 * KIT_SIGNING_KEY_INVALID.
 */
export function openSigner(env: NodeJS.ProcessEnv): ProofSigner {
  const configured = env.KIT_SIGNING_KEY;
  if (configured !== undefined && configured !== '') {
    if (configured.includes('-----BEGIN')) return signerOf(parseKey(configured, 'KIT_SIGNING_KEY'), 'KIT_SIGNING_KEY');
    return signerOf(readKey(configured), configured);
  }
  const path = join(userConfigDir(env), 'signing-key.pem');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) makeKey(path);
  return signerOf(readKey(path), path);
}

function signerOf(privateKey: KeyObject, source: string): ProofSigner {
  const raw = rawPublicKey(privateKey);
  const publicKey = raw.toString('base64');
  const keyId = keyIdOf(raw);
  return {
    publicKey,
    keyId,
    source,
    sign: (body) => ({ keyId, publicKey, value: sign(null, Buffer.from(body), privateKey).toString('base64') }),
  };
}

/** The last 32 bytes of an Ed25519 SubjectPublicKeyInfo are the key (RFC 8410). */
const rawPublicKey = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);

function parseKey(pem: string, source: string): KeyObject {
  const key = tryParse(pem);
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new KitError('KIT_SIGNING_KEY_INVALID', `${source} holds no Ed25519 private key in PKCS#8 PEM form`);
  return key;
}

/** Never with the parser's own error: it can quote what it was given. */
function tryParse(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

function readKey(path: string): KeyObject {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new KitError('KIT_SIGNING_KEY_INVALID', `the signing key ${path} does not exist`);
  if (process.platform !== 'win32' && (stat.mode & OTHERS) !== 0)
    throw new KitError('KIT_SIGNING_KEY_INVALID', `others than its owner can read the signing key ${path}`, {
      hint: `Run chmod 600 ${path}, and make a new key if somebody may have read it.`,
    });
  try {
    return parseKey(readFileSync(path, 'utf8'), path);
  } catch (cause) {
    if (cause instanceof KitError) throw cause;
    throw new KitError('KIT_SIGNING_KEY_INVALID', `the signing key ${path} cannot be read`, { cause });
  }
}

/**
 * A whole file under its name or none: of two processes that begin together one key wins, and both
 * use it.
 */
function makeKey(path: string): void {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, pem, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    linkSync(temporary, path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    throw new KitError('KIT_SIGNING_KEY_INVALID', `no signing key can be made at ${path}`, {
      cause,
      hint: 'Name a directory that you may write with XDG_CONFIG_HOME, or give KIT_SIGNING_KEY.',
    });
  } finally {
    rmSync(temporary, { force: true });
  }
}
