import type { BundledGroup } from './bundled-groups.js';

/** The status of whoever gets as far as the body of a request. */
export const ADMITTED = 299;

/** The same group, which answers before its routes: the route itself is not asked. */
export const turnedAway = ({ mount, ...group }: BundledGroup): BundledGroup => ({
  ...group,
  mount: {
    register: (scope, served) => {
      scope.addHook('preParsing', (_request, reply) => void reply.code(ADMITTED).send(''));
      return mount.register(scope, served);
    },
  },
});

/**
 * Use cases that nobody calls: groups may take what they like of them while they register. A route
 * that decides by the request is told `hookTier`.
 */
export function noApp(hookTier: () => Promise<string>): object {
  const app: object = new Proxy(() => {}, {
    get: (_target, key) => (key === 'then' ? undefined : key === 'hookTier' ? hookTier : app),
    apply: () => () => {},
  });
  return app;
}

/** An address of the pattern. */
export const addressOf = (pattern: string): string => pattern.replaceAll(/:\w+/g, 'x').replace('*', 'x');
