/** What answers with promises alone: nobody can tell when it was imported. */
type Asynchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never;
};

/**
 * A group of functions that is imported and made when one of them is first called, so that a
 * process loads what it calls and nothing else. Members are the same function at every look.
 * `groups`: members that are groups themselves. Throws where its members are listed, as `{ ...it }`
 * does: they are not known before the group is made, and a copy without them would fail later.
 */
export function lazily<T extends Asynchronous<Omit<T, keyof G>>, G extends object = object>(
  open: () => Promise<T>,
  groups?: G,
): T {
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
      return member.apply(group, args);
    };
  const members = new Map<string, unknown>(Object.entries(groups ?? {}));
  const memberOf = (name: string): unknown => {
    const known = members.get(name) ?? call(name as keyof T);
    members.set(name, known);
    return known;
  };
  // Each member calls the one of its name with what it was given, so it has that one's type;
  // TypeScript cannot follow names. A promise resolves with it: `then` is not a member.
  return new Proxy({} as object, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : memberOf(name)),
    ownKeys: () => {
      throw new Error('the members of a group that is opened late cannot be listed or spread');
    },
  }) as T;
}
