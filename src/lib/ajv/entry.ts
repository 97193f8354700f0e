// The door to the schema compiler for whoever loads it at run time. The build folds the library
// behind it into one file: it comes in eighty, and every command that reads a workspace loads all
// of them.
export { Ajv2020, addFormats } from './parts.js';
