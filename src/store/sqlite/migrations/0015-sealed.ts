/** Nothing: sealed rows lie in a file of their own (`src/store/sqlite/sealed/schema.ts`). */
export const SEALED = '';
