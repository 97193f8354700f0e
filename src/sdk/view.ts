// What pages and other programs that show runs import as `@kit-run/kit/view`: events of
// `GET /events` and of `GET /jobs/{id}/events` become a view of a run, as kit itself folds
// them. Nothing here needs Node: it runs in a browser.

export type { StoredEvent } from '../domain/events.js';
export { type AgentRow, agentTree } from '../view/agent-tree.js';
export { type AgentGraph, type CallGraph, type CallRow, callGraph } from '../view/call-graph.js';
export {
  GRAPH_BOX,
  type GraphLayout,
  graphText,
  layoutOf,
  type PlacedLine,
  type PlacedNode,
} from '../view/graph/layout.js';
export {
  type GraphAgent,
  type GraphFacts,
  type GraphNode,
  graphOf,
  type TopologyGraph,
} from '../view/graph/topology-graph.js';
export { eventText } from '../view/lines/event-text.js';
export type { EventText } from '../view/lines/say.js';
export { foldRun, reduceRun } from '../view/reduce-run.js';
export {
  type AgentView,
  EMPTY_RUN,
  EMPTY_TRACE,
  type GateView,
  type RunView,
  type RunWarning,
} from '../view/run-view.js';
export { fromWireEvent } from '../view/schemas/event.js';
export { authorizationUrl, offerIn, type SignInEnd, type SignInOffer, signInEnd } from '../view/sign-in.js';
export { busyStretches, type Stretch, type TimeAxis, timeAxis } from '../view/time-axis.js';
