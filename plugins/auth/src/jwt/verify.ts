import type { AuthVerdict, Clock } from '@kit-run/kit/plugin';
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { JwtConfig } from './config.js';
import type { IssuerKeys } from './issuer-keys.js';

/** Gaps F7. `Ed25519` is the name that RFC 9864 gives to what EdDSA means here. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA', 'Ed25519'];
const SKEW_SECONDS = 60;
/** Keys without a name that are tried for one token. */
const MAX_TRIED = 8;

type Refused = Extract<AuthVerdict, { readonly kind: 'refused' }>;
export type Verified = { readonly kind: 'claims'; readonly claims: JWTPayload } | Refused;

const refused = (detail: string): Refused => ({ kind: 'refused', detail, error: 'invalid_token' });

/**
 * Names of claims are those of the specification or of the configuration: nothing of the token is
 * repeated.
 */
function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed, { audience }: JwtConfig): string {
  if (reason === 'missing') return `the token has no claim ${claim}`;
  switch (claim) {
    case 'iss':
      return 'the token is from another issuer';
    case 'aud':
      return `the token is for another audience than ${audience}`;
    case 'nbf':
      return 'the token is not valid yet';
    default:
      return `the claim ${claim} of the token cannot be accepted`;
  }
}

function reasonOf(error: unknown, config: JwtConfig): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error, config);
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no key that fits the token';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature of the token does not fit';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `the token is signed in a way that is not accepted; accepted are ${ALGORITHMS.join(', ')}`;
  return 'the token is not one that can be read';
}

/**
 * Throws what jose throws. A token that names no key is tried with each one that could be meant.
 */
async function check(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return tryEach(token, error, options);
  }
}

async function tryEach(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tried = 0;
  for await (const key of candidates) {
    if (tried++ === MAX_TRIED) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/**
 * Checks tokens of one issuer. The answer throws KIT_NOT_READY when its keys are not to be had; a
 * token never makes it throw.
 */
export function createVerifier(
  config: JwtConfig,
  keys: IssuerKeys,
  clock: Pick<Clock, 'now'>,
): (token: string) => Promise<Verified> {
  const options = (): JWTVerifyOptions => ({
    issuer: config.issuer,
    audience: config.audience,
    algorithms: ALGORITHMS,
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['exp', 'iss', 'aud', 'sub'],
    currentDate: new Date(clock.now()),
  });
  const attempt = async (token: string, known: JWTVerifyGetKey): Promise<Verified | 'unknown key'> => {
    try {
      return { kind: 'claims', claims: await check(token, known, options()) };
    } catch (error) {
      return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : refused(reasonOf(error, config));
    }
  };
  return async (token) => {
    // What is not a token at all needs no keys: garbage does not make the server ask the issuer.
    if (token.split('.').length !== 3) return refused('the token is not one that can be read');
    const first = await attempt(token, await keys.current());
    if (first !== 'unknown key') return first;
    const newer = await keys.afterUnknown();
    const second = newer === null ? first : await attempt(token, newer);
    return second === 'unknown key' ? refused('the issuer has no key that fits the token') : second;
  };
}
