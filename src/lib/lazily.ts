/** What answers with promises alone: nobody can tell when it was imported. */
type Asynchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never;
};

/** What stands behind each of them has no members of its own. */
const NOTHING = {};

/** One of each group, and each run has two: what is asked of none takes no more than this. */
class LateGroup<T> implements ProxyHandler<object> {
  readonly #open: () => Promise<T>;
  readonly #groups: object | undefined;
  #opened: Promise<T> | undefined;
  #members: Map<string, unknown> | undefined;

  constructor(open: () => Promise<T>, groups: object | undefined) {
    this.#open = open;
    this.#groups = groups;
  }

  /** A promise resolves with the group: `then` is not a member. */
  get(_: object, name: string | symbol): unknown {
    if (typeof name === 'symbol' || name === 'then') return undefined;
    this.#members ??= new Map(Object.entries(this.#groups ?? {}));
    const known = this.#members.get(name) ?? ((...args: never[]) => this.#call(name as keyof T, args));
    this.#members.set(name, known);
    return known;
  }

  ownKeys(): never {
    throw new Error('the members of a group that is opened late cannot be listed or spread');
  }

  async #call(name: keyof T, args: never[]): Promise<unknown> {
    this.#opened ??= this.#open();
    const group = await this.#opened.catch((error: unknown) => {
      this.#opened = undefined; // what failed for a passing reason may work the next time
      throw error;
    });
    const member = group[name] as (...args: never[]) => Promise<unknown>;
    return member.apply(group, args);
  }
}

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
  // Each member calls the one of its name with what it was given, so it has that one's type;
  // TypeScript cannot follow names.
  return new Proxy(NOTHING, new LateGroup(open, groups)) as T;
}
