import type { AuthProvider } from '@kit-run/kit/plugin';
import type { OpenAPIV3_1 } from 'openapi-types';

/** How callers prove who they are, as the running auth provider has it. */
export interface NamedScheme {
  readonly name: string;
  readonly scheme: OpenAPIV3_1.SecuritySchemeObject;
}

/**
 * `none` needs no credential; a provider that speaks OpenID Connect is named by its issuer;
 * everybody else takes a bearer token.
 */
export function securitySchemeOf({ mode, oidc }: ReturnType<AuthProvider['info']>): NamedScheme | null {
  if (mode === 'none') return null;
  const issuer = oidc?.issuer;
  if (typeof issuer === 'string') {
    const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    return { name: mode, scheme: { type: 'openIdConnect', openIdConnectUrl } };
  }
  return { name: mode, scheme: { type: 'http', scheme: 'bearer' } };
}
