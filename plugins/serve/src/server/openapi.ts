import { STATUS_CODES } from 'node:http';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { formatParamUrl } from '@fastify/swagger';
import type { AuthProvider } from '@kit-run/kit/plugin';
import type { OpenAPIV3_1 } from 'openapi-types';
import { PROBLEM_SCHEMA } from './problem-schema.js';
import { COMMON_STATUSES, type RouteFacts } from './route-table.js';

/** What the document is made from, beside the schemas of the routes. */
export interface DocumentParts {
  readonly version: string;
  readonly auth: ReturnType<AuthProvider['info']>;
  /** Filled while groups are mounted; read when the document is made. */
  readonly routes: readonly RouteFacts[];
}

const PROBLEM_BODY = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const DEFAULT_PROBLEM = { description: 'A refusal; `code` says which.', content: PROBLEM_BODY };

/** Path of the document for a pattern of the router. */
export const documentPath = (pattern: string): string => formatParamUrl(pattern);

/**
 * Any status that every route may answer, and those of this one, are refusals, or have no body:
 * what a browser is led to, what has not changed. `default` stands for the rest of the refusals.
 */
function responsesOf(operation: OpenAPIV3_1.OperationObject, facts: RouteFacts): OpenAPIV3_1.ResponsesObject {
  const answers = [...COMMON_STATUSES, ...facts.mayAnswer].map((status) => [
    String(status),
    status >= 400 ? DEFAULT_PROBLEM : { description: STATUS_CODES[status] ?? '' },
  ]);
  return {
    ...Object.fromEntries(answers),
    ...operation.responses,
    default: DEFAULT_PROBLEM,
  };
}

function securityOf({ tier }: RouteFacts, scheme: string | null): OpenAPIV3_1.SecurityRequirementObject[] {
  if (scheme === null || tier === 'public') return [];
  const needed = { [scheme]: tier === 'by-request' ? [] : [`serve:${tier}`] };
  return tier === 'by-request' ? [{}, needed] : [needed];
}

/**
 * `x-kit-tier` says what a route asks of its caller; a reader of the document need not guess it
 * from scopes.
 */
function complete(
  operation: OpenAPIV3_1.OperationObject,
  facts: RouteFacts,
  scheme: string | null,
): OpenAPIV3_1.OperationObject {
  return {
    ...operation,
    ...(facts.summary === '' ? {} : { summary: facts.summary }),
    responses: responsesOf(operation, facts),
    security: securityOf(facts, scheme),
    ...{ 'x-kit-tier': facts.tier },
  };
}

/** OpenAPI 3.1 out of the schemas that requests are checked by and answers are written with. */
export function swaggerOptions({ version, auth, routes }: DocumentParts): FastifyDynamicSwaggerOptions {
  const security = securitySchemeOf(auth);
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'kit', version, description: 'Runs agent topologies as bounded, governed, durable runs.' },
      components: {
        schemas: { Problem: PROBLEM_SCHEMA },
        securitySchemes: security === null ? {} : { [security.name]: security.scheme },
      },
    },
    transformObject: (made) => {
      // the version above decides which of the three documents it is
      const { openapiObject: document } = made as unknown as { readonly openapiObject: OpenAPIV3_1.Document };
      const facts = new Map(routes.map((route) => [`${route.method} ${documentPath(route.pattern)}`, route]));
      for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
        // beside operations a path item of ours holds nothing
        const operations: Partial<Record<string, OpenAPIV3_1.OperationObject>> = item as object;
        for (const [method, operation] of Object.entries(operations)) {
          const route = facts.get(`${method.toUpperCase()} ${path}`);
          if (operation !== undefined && route !== undefined)
            operations[method] = complete(operation, route, security?.name ?? null);
        }
      }
      return document;
    },
  };
}

/** How callers prove who they are, as the running auth provider has it. */
interface NamedScheme {
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
