/** What a test puts in place of some members of an object that cannot be listed (`lazily`). */
export const over = <T extends object>(base: T, members: Partial<T>): T =>
  Object.assign(Object.create(base), members) as T;
