import type { MountedGroup } from '@kit-run/kit/command';
import type { FastifyPluginAsync } from 'fastify';

/** One group in its own scope: its hooks and decorators reach no other group, and its routes have at least its tier written down. */
export function mountGroup(group: MountedGroup, workspace: string): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, tier: route.config?.tier ?? group.tier };
    });
    await group.mount.register(scope, { app: group.app, workspace });
  };
}
