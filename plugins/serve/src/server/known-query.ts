import { isObject, KitError } from '@kit-run/kit/plugin';
import type { preValidationHookHandler } from 'fastify';
import { takesAnyQuery } from './route-table.js';

/** Parameters that a route names; its schema is an object of ours, of whatever properties. */
function namesOf(schema: unknown): readonly string[] {
  const query = isObject(schema) ? schema.querystring : undefined;
  return isObject(query) && isObject(query.properties) ? Object.keys(query.properties) : [];
}

/**
 * Refuses a query parameter that the route does not name: ignored, `?type=` in place of `types`
 * would answer everything as if it were what was asked for. Throws KIT_REQUEST_INVALID.
 */
export const refuseUnknownQuery: preValidationHookHandler = (request, _reply, done) => {
  const { url = '', schema } = request.routeOptions;
  if (!isObject(request.query) || takesAnyQuery(url)) return done();
  const known = namesOf(schema);
  const unknown = Object.keys(request.query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return done();
  const which = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`;
  const errors = unknown.map((name) => ({
    pointer: `/query/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: 'is not a parameter of this route',
    code: 'additionalProperties',
  }));
  return done(
    new KitError('KIT_REQUEST_INVALID', `${unknown.join(', ')}: no query parameter of this route, which ${which}`, {
      data: { errors },
    }),
  );
};
