import type { PointId } from './point-ids.js';

/** A contribution by its point, and by the id or name that a file gives. */
export interface WantedContribution {
  readonly point: PointId;
  readonly name: string;
}

/** How to get what no installed plugin contributes; part of a help or a hint. */
export const HOW_TO_INSTALL =
  '`kit plugins list` shows the installed plugins, `kit plugins install PLUGIN` adds the one that brings it';

/** The hint of a refusal for a contribution that nothing here brings: what it is, in words. */
export const hintForMissing = (what: string): string => `Install a plugin that contributes ${what}: ${HOW_TO_INSTALL}.`;

/** What to do about a credential whose source nothing here brings. */
export const hintForSource = (source: string): string =>
  `Install a plugin that contributes the credential source ${source}, or use the source env or file; \`kit plugins list\` shows the installed plugins.`;

/** Ends the sentence of a refusal for what a plugin brings that this process has not loaded. */
export const installedSince = (plugin: string): string =>
  `the plugin ${plugin}, which brings it, was installed after this process started`;

const PROCESSES = '`kit serve`, `kit mcp serve`, each `kit worker`';

/** What is done about it. */
export const START_AGAIN = `start it again (${PROCESSES})`;

/** The same as a hint. */
export const START_AGAIN_HINT = `Start the process again: ${PROCESSES}.`;
