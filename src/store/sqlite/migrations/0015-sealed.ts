/** Nothing: sealed rows lie in a file of their own (`src/store/sqlite/sealed/`). */
export const SEALED = '';
