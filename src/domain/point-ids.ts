/**
 * All points that a manifest may name. Those without an entry in `ExtensionPoints` are refused as
 * `not-yet`. A file of its own: a page in a browser knows them through diagnostics.
 */
export const POINT_IDS = [
  'executors',
  'triggers',
  'governanceProviders',
  'modelProviders',
  'eventSinks',
  'compressors',
  'credentialSources',
  'artifactStores',
  'toolSources',
  'skillStrategies',
  'authProviders',
  'evalChecks',
  'httpMounts',
  'signalListeners',
  'agentTransports',
  'diagnosticRules',
] as const;

/** One of the names in `POINT_IDS`. */
export type PointId = (typeof POINT_IDS)[number];
