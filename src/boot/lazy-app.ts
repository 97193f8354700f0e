/** Use cases that all answer with a promise: nobody can tell when they were imported. */
type Asynchronous<T> = { readonly [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never };

/**
 * A group of use cases that is imported and made when one of them is first called, so that a
 * command loads what it calls and nothing else. Members are the same function at every look; they
 * cannot be listed before the group is made.
 */
export function lazyApp<T extends Asynchronous<T>>(open: () => Promise<T>): T {
  let opened: Promise<T> | undefined;
  const call =
    (name: keyof T) =>
    async (...args: never[]): Promise<unknown> => {
      opened ??= open();
      const group = await opened.catch((error: unknown) => {
        opened = undefined; // what failed for a passing reason may work the next time
        throw error;
      });
      const member = group[name] as (...args: never[]) => Promise<unknown>;
      return member(...args);
    };
  const members = new Map<string, ReturnType<typeof call>>();
  const memberOf = (name: string): ReturnType<typeof call> => {
    const known = members.get(name) ?? call(name as keyof T);
    members.set(name, known);
    return known;
  };
  // Each member calls the one of its name with what it was given, so it has that one's type;
  // TypeScript cannot follow names. A promise resolves with it: `then` is no use case.
  return new Proxy({} as object, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : memberOf(name)),
  }) as T;
}
