// The door to the store for whoever loads it at run time. The build folds what lies behind it into
// one file, as it does with the compiler: a run loads all of it, and hundreds of small modules cost
// more time to find than to run.
export { openSqliteStores } from './open-sqlite-stores.js';
