// What a command module imports as `@kit-run/kit/command`: the base class, flags and the type of the front door.

export type { App } from '../app/app.js';
export { Args, Flags } from '../cli/flags.js';
export { type CliHost, type ExitCode, KitCommand, type ProcessSettings, type StdoutGuard } from '../cli/kit-command.js';
export { workspaceArg, workspaceFlag } from '../cli/workspace-flag.js';
export type { Diagnostic, DiagnosticLabel, Severity, SourceFile, Span } from '../domain/diagnostic.js';
export type { ErrorCode } from '../domain/error-registry.js';
export { isKitError, KitError, type KitErrorOptions } from '../domain/errors.js';
export type { StoredEvent } from '../domain/events.js';
export type { ContributionInfo, PluginReport } from '../domain/extension-points.js';
export type { Job, JobStatus, RunRequest, Usage } from '../domain/job.js';
export type { Json, JsonObject } from '../domain/json.js';
export type { PluginProposal } from '../domain/ports/plugins.js';
