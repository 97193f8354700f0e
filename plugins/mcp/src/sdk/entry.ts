// The door to the client library of MCP for whoever loads it at run time: it comes with several
// megabytes that nobody here uses, and is no dependency of the package.
export * from './parts.js';
