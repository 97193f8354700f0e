import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { OpenAPIV3_1 } from 'openapi-types';
import { CHANGED } from './nothing-lost.js';

/** Statuses of the server itself, which no route declares: it starts or stops. */
const OF_THE_SERVER = new Set([503]);
/**
 * Answers of what is not an operation of the document: unknown path (its body is not read), other
 * method, preflight, plain OPTIONS.
 */
const WITHOUT_OPERATION = new Set([204, 400, 401, 403, 404, 405, 503]);
const PROBLEM = '#/components/schemas/Problem';

/** What is looked at of an answer, whoever carried it. */
export type CheckedResponse = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>;

/**
 * Says what of an answer does not fit the description of the server; null = it fits. `url`: the
 * path as it was sent, with its query.
 */
export type CheckResponse = (
  request: { readonly method: string; readonly url: string },
  response: CheckedResponse,
) => string | null;

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Paths whose last parameter is the rest of an address, slashes included. */
const RESTS: ReadonlySet<string> = new Set(['/artifacts/{ref}']);

/** Pattern of the router for a path of the document. */
function patternOf(path: string): string {
  const pattern = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => `:${name}`);
  return RESTS.has(path) ? pattern.replace(/:[^:]+$/, '*') : pattern;
}

/**
 * Reads the description of a server once; `inject` of many tests is then checked against it.
 * `isReady`: the server neither starts nor stops, so that 503 is for the routes that declare it.
 */
export function createResponseCheck(
  document: OpenAPIV3_1.Document,
  { isReady = false }: { readonly isReady?: boolean } = {},
): CheckResponse {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document as object, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const router = findMyWay({ maxParamLength: 10_000 });
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of Object.keys(item ?? {}))
      router.on(method.toUpperCase() as HTTPMethod, patternOf(path), () => {}, { path, method });

  const misfit = (pointer: string, body: string): string | null => {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `its body is not JSON: ${body.slice(0, 200)}`;
    }
    const validate = validatorOf(pointer);
    return validate(value) ? null : `its body does not fit: ${ajv.errorsText(validate.errors)}; ${body.slice(0, 500)}`;
  };

  return ({ method, url }, response) => {
    const { statusCode: status, body } = response;
    const mediaType = String(response.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const isHead = method === 'HEAD';
    const found = router.find((isHead ? 'GET' : method) as HTTPMethod, url)?.store as
      | { path: string; method: string }
      | undefined;
    if (status >= 400 && mediaType === 'application/problem+json' && !isHead) {
      const wrong = misfit(PROBLEM, body);
      if (wrong !== null) return wrong;
    }
    if (found === undefined)
      return WITHOUT_OPERATION.has(status) && !(isReady && status === 503)
        ? null
        : `status ${status} of a path that OpenAPI does not know`;
    const operation = (document.paths?.[found.path] as Record<string, OpenAPIV3_1.OperationObject> | undefined)?.[
      found.method
    ];
    const declared = operation?.responses?.[String(status)] as OpenAPIV3_1.ResponseObject | undefined;
    if (declared === undefined)
      return OF_THE_SERVER.has(status) && !isReady ? null : `status ${status} is not among those of OpenAPI`;
    // A notice of MCP is taken without a word.
    if (status === 303) return response.headers.location === undefined ? 'a 303 that leads nowhere' : null;
    if (isHead || status === 204 || status === 304 || (status === 202 && body === '')) return null;
    const content = declared.content?.[mediaType];
    if (content === undefined) return `the type ${mediaType} of status ${status} is not among those of OpenAPI`;
    if (content.schema === undefined || !mediaType.endsWith('json')) return null;
    return misfit(
      `#/paths/${escaped(found.path)}/${found.method}/responses/${status}/content/${escaped(mediaType)}/schema`,
      body,
    );
  };
}

const checks = new WeakMap<FastifyInstance, CheckResponse>();

function assertDescribed(
  server: FastifyInstance,
  request: { readonly method: string; readonly url: string },
  response: CheckedResponse,
): void {
  const check = checks.get(server) ?? createResponseCheck(server.swagger() as OpenAPIV3_1.Document);
  checks.set(server, check);
  const changed = response.headers[CHANGED];
  const wrong =
    changed === undefined ? check(request, response) : `its schema does not let ${changed} through as it was given`;
  if (wrong !== null) throw new Error(`${request.method} ${request.url}: ${wrong}`);
}

/**
 * The server, whose `inject` throws for an answer that its `/openapi.json` does not describe: an
 * unknown status, a body that does not fit, and a member of an answer that no schema names.
 */
export function checkedInject(server: FastifyInstance): FastifyInstance {
  const inject = server.inject.bind(server) as (options: InjectOptions) => Promise<LightMyRequestResponse>;
  const checked = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const request = typeof options === 'string' ? { url: options } : options;
    const response = await inject(request);
    const url = typeof request.url === 'string' ? request.url : (request.url?.pathname ?? '/');
    assertDescribed(server, { method: (request.method ?? 'GET').toUpperCase(), url }, response);
    return response;
  };
  return Object.assign(server, { inject: checked });
}
