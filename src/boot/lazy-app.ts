/** Use cases that all answer with a promise: nobody can tell when they were imported. */
type Asynchronous<T> = { readonly [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never };

/**
 * A group of use cases that is imported and made when one of them is first called, so that a
 * command loads what it calls and nothing else. `methods` names every member: a new one that is
 * missing does not compile.
 */
export function lazyApp<T extends Asynchronous<T>>(
  methods: Readonly<Record<keyof T, true>>,
  open: () => Promise<T>,
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
      return member(...args);
    };
  // Each member calls the one of its name with what it was given, so it has that one's type;
  // TypeScript cannot follow names.
  return Object.fromEntries(Object.keys(methods).map((name) => [name, call(name as keyof T)])) as unknown as T;
}
