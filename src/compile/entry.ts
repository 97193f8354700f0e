// The door to the compiler for whoever loads it at run time. The build folds what lies behind it
// into one file, because hundreds of small modules cost more time to find than to run.

export {
  auditRetentionDays,
  type CompileInput,
  type CompileResult,
  compileRoles,
  credentialEntries,
  finishCompile,
  loadProperties,
  looksSecret,
  maskDiagnostics,
  prepareCompile,
  storageSettings,
} from './compile-workspace.js';
