import type { Contribution, LivePointId } from './extension-points.js';

/** What an author writes; the host reads the stamped `Contribution`. */
export type ContributionSource<P extends LivePointId> = Pick<Contribution<P>, 'create'>;

const stamp =
  <P extends LivePointId>(point: P) =>
  (source: ContributionSource<P>): Contribution<P> => ({
    $$type: `kit.${point}`,
    version: 1,
    create: (config, context) => source.create(config, context),
  });

/** Declares how agents of an archetype are executed. The module's named export `contribution`. */
export const defineExecutor: (source: ContributionSource<'executors'>) => Contribution<'executors'> =
  stamp('executors');

/** Declares who decides on actions. A throw or a timeout is a denial. */
export const defineGovernanceProvider: (
  source: ContributionSource<'governanceProviders'>,
) => Contribution<'governanceProviders'> = stamp('governanceProviders');

/** Declares a family of model providers. */
export const defineModelProvider: (source: ContributionSource<'modelProviders'>) => Contribution<'modelProviders'> =
  stamp('modelProviders');

/** Declares where credentials come from. */
export const defineCredentialSource: (
  source: ContributionSource<'credentialSources'>,
) => Contribution<'credentialSources'> = stamp('credentialSources');

/** Declares where the bytes of artifacts are kept outside the database. */
export const defineArtifactStore: (source: ContributionSource<'artifactStores'>) => Contribution<'artifactStores'> =
  stamp('artifactStores');

/** Declares where tools come from that skills can name. */
export const defineToolSource: (source: ContributionSource<'toolSources'>) => Contribution<'toolSources'> =
  stamp('toolSources');

/** Declares a type of trigger. */
export const defineTrigger: (source: ContributionSource<'triggers'>) => Contribution<'triggers'> = stamp('triggers');

/** Declares where events of the log are pushed to. */
export const defineEventSink: (source: ContributionSource<'eventSinks'>) => Contribution<'eventSinks'> =
  stamp('eventSinks');

/** Declares how results of tools are made shorter for a conversation. */
export const defineCompressor: (source: ContributionSource<'compressors'>) => Contribution<'compressors'> =
  stamp('compressors');

/** Declares how the votes of a composed skill become one verdict. */
export const defineSkillStrategy: (source: ContributionSource<'skillStrategies'>) => Contribution<'skillStrategies'> =
  stamp('skillStrategies');

/** Declares how agents that run elsewhere are spoken to. */
export const defineAgentTransport: (source: ContributionSource<'agentTransports'>) => Contribution<'agentTransports'> =
  stamp('agentTransports');

/** Declares the application's listener for inbound events. */
export const defineSignalListener: (source: ContributionSource<'signalListeners'>) => Contribution<'signalListeners'> =
  stamp('signalListeners');

/** Declares how a server tells who calls. */
export const defineAuthProvider: (source: ContributionSource<'authProviders'>) => Contribution<'authProviders'> =
  stamp('authProviders');

/** Declares a check of eval sets. */
export const defineEvalCheck: (source: ContributionSource<'evalChecks'>) => Contribution<'evalChecks'> =
  stamp('evalChecks');

/** Declares a group of routes of `kit serve`. */
export const defineHttpMount: (source: ContributionSource<'httpMounts'>) => Contribution<'httpMounts'> =
  stamp('httpMounts');
