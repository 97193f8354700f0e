import type { PluginContext, ToolServerContext, ToolSource } from '@kit-run/kit/plugin';
import type { SourceOptions } from '../options.js';
import type { Limits } from './limits.js';

/** What a server is opened with. */
export interface OpenRequest {
  readonly server: Parameters<ToolSource['open']>[0];
  readonly context: ToolServerContext;
  readonly plugin: PluginContext;
  readonly options: SourceOptions;
}

export interface ConnectRequest extends OpenRequest {
  readonly limits: Limits;
  /** Ends the attempt: the run is over, or the time for it. */
  readonly stop: AbortSignal;
}

/** The SDK's own timer never decides: kit's clock does. The longest that Node has. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;
