/** What the pages call the answers of the HTTP API; their types follow from its schemas. */
import type { WireAsked, WireJobSummary, WireRun } from '@kit-run/kit/wire';

export type {
  WireArtifact as ArtifactRow,
  WireArtifactText as ArtifactText,
  WireDiffs as Diffs,
  WireGate as Gate,
  WireInbox as InboxPage,
  WireInboxItem as InboxItem,
  WireInboxRow as InboxRow,
  WireRunView as RunView,
  WireWho as Who,
  WireWhy as Why,
} from '@kit-run/kit/wire';

export type AskedRequest = WireAsked['request'];
export type Decided = AskedRequest['decisions'][number];
/** One that is at work in a run that waits is `waiting` on the page. */
export type Activation = Omit<WireRun['agents'][number], 'status'> & { readonly status: string };
export type Call = Activation['trail'][number];
export type Job = WireJobSummary;
