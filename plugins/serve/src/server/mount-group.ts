import type { MountedGroup } from '@kit-run/kit/command';
import type { FastifyPluginAsync } from 'fastify';
import { takeNullForAbsent } from './absent-nulls.js';
import { compileOnFirstUse, type SchemaTools } from './first-use.js';
import { refuseUnknownQuery } from './known-query.js';
import { refuseEmptyPart } from './not-found.js';
import { factsOf, type RouteFacts } from './route-table.js';

/** What a group is registered with. */
export interface MountParts {
  readonly workspace: string;
  readonly closing: AbortSignal;
  readonly schemas: SchemaTools;
  /** Takes what the group registers. */
  readonly table: (facts: RouteFacts) => void;
}

/**
 * One group in its own scope: its hooks and decorators reach no other group, and its routes have at
 * least its tier written down.
 */
export function mountGroup(
  group: MountedGroup,
  { workspace, closing, schemas, table }: MountParts,
): FastifyPluginAsync {
  return async (scope) => {
    // Those of a third party are compiled at the start, so that a broken one is told then; they
    // read what they like of a query.
    if (group.isBundled) {
      compileOnFirstUse(scope, schemas);
      scope.addHook('preValidation', refuseEmptyPart);
      scope.addHook('preValidation', refuseUnknownQuery);
      scope.addHook('preValidation', takeNullForAbsent);
    }
    scope.addHook('onRoute', (route) => {
      const all = factsOf(route, group);
      const [facts] = all;
      route.config = {
        ...route.config,
        tier: route.config?.tier ?? group.tier,
        ...(facts === undefined ? {} : { facts }),
      };
      for (const one of all) table(one);
    });
    await group.mount.register(scope, { app: group.app, workspace, closing });
  };
}
