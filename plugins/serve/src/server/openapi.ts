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

/** What the rest of a path is called: a router knows it as `*` alone, and a client needs a name. */
const REST_NAMES: Readonly<Record<string, string>> = { '/artifacts/*': 'ref' };
const restOf = (pattern: string): string => REST_NAMES[pattern] ?? 'rest';

/** Path of the document for a pattern of the router. */
export const documentPath = (pattern: string): string => formatParamUrl(pattern).replace('{*}', `{${restOf(pattern)}}`);

const wordsIn = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * `GET /jobs/{id}/why` is `getJobsByIdWhy`: generators name their functions so, and it is the same
 * in each version.
 */
export function operationId(method: string, path: string): string {
  const [, ...parts] = path.split('/');
  const words = parts.map((part) =>
    part === '' ? 'Slash' : part.startsWith('{') ? `By${wordsIn(part)}` : wordsIn(part),
  );
  return method.toLowerCase() + words.join('');
}

type Parameters = NonNullable<OpenAPIV3_1.OperationObject['parameters']>;

const named = (parameters: Parameters, rest: string): Parameters =>
  parameters.map((each) => ('name' in each && each.name === '*' ? { ...each, name: rest } : each));

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
  const { parameters } = operation;
  return {
    ...operation,
    operationId: operationId(facts.method, documentPath(facts.pattern)),
    ...(facts.summary === '' ? {} : { summary: facts.summary }),
    ...(parameters === undefined ? {} : { parameters: named(parameters, restOf(facts.pattern)) }),
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
      const facts = new Map(routes.map((route) => [`${route.method} ${formatParamUrl(route.pattern)}`, route]));
      const paths = Object.entries(document.paths ?? {}).map(([path, item = {}]) => {
        // beside operations a path item of ours holds nothing
        const operations: Partial<Record<string, OpenAPIV3_1.OperationObject>> = item as object;
        let called = path;
        for (const [method, operation] of Object.entries(operations)) {
          const route = facts.get(`${method.toUpperCase()} ${path}`);
          if (operation === undefined || route === undefined) continue;
          called = documentPath(route.pattern);
          operations[method] = complete(operation, route, security?.name ?? null);
        }
        return [called, item] as const;
      });
      return { ...document, paths: Object.fromEntries(paths) };
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
