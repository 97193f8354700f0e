import type { OpenAPIV3_1 } from 'openapi-types';
import { type Pools, poolOf } from './pools.js';
import type { FuzzRequest, Operation } from './requests.js';
import { type ValueSchema, valueFor } from './values.js';
import { PLANTED } from './workspace.js';

/**
 * What one store or one file system takes and another does not; chance meets each of them in each
 * place too seldom.
 */
const HOSTILE = ['\u0000', 'a\u0000b', '\ud800x', '../../etc/passwd', '%', "'", 'x'.repeat(900), '-1', '\u202e'];

/** JSON that is read without harm, and walked through by recursion with it. */
const NESTED = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const firstOf = (): number => 0;

function pathWith(path: string, pools: Pools, given: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encoded(given[name] ?? pools.pick(poolOf(path, name), firstOf) ?? 'x'),
  );
}

/**
 * Each hostile text in each part of the path, each member of the query and each text of the body,
 * one at a time.
 */
export function sweep(
  operations: readonly Operation[],
  pools: Pools,
): readonly { readonly operation: Operation; readonly asked: FuzzRequest }[] {
  const authorization = `Bearer ${PLANTED.admin}`;
  return operations.flatMap((operation) => {
    const { path, of } = operation;
    const method = operation.method.toUpperCase();
    const schema = ((of.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content?.['application/json']
      ?.schema ?? null) as ValueSchema | null;
    const valid = schema === null ? null : (valueFor(schema, () => 0.2) as Record<string, unknown> | null);
    const make = (target: string, body: unknown): { readonly operation: Operation; readonly asked: FuzzRequest } => {
      const type = body === null ? {} : { 'content-type': 'application/json' };
      return {
        operation,
        asked: {
          method,
          target,
          headers: { authorization, ...type },
          body: body === null ? null : Buffer.from(JSON.stringify(body)),
        },
      };
    };
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
    const queries = (of.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
    const members = Object.keys(schema?.properties ?? {});
    const nested = members.map((name) => {
      const { asked } = make(pathWith(path, pools, {}), { ...valid, [name]: 'NESTED' });
      return { operation, asked: { ...asked, body: Buffer.from(String(asked.body).replace('"NESTED"', NESTED)) } };
    });
    const texts = HOSTILE.flatMap((text) => [
      ...names.map((name) => make(pathWith(path, pools, { [name]: text }), valid)),
      ...queries.map((name) => make(`${pathWith(path, pools, {})}?${name}=${encoded(text)}`, valid)),
      ...members.map((name) => make(pathWith(path, pools, {}), { ...valid, [name]: text })),
    ]);
    return [...texts, ...nested];
  });
}
