// The parser's building blocks, re-exported so that a plugin needs no dependency of its own.
export * as Args from '@oclif/core/args';
export * as Flags from '@oclif/core/flags';
