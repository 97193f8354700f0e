import type { ConversationReader } from '@kit-run/kit/command';
import { type Caller, missingScope } from '@kit-run/kit/plugin';

/**
 * Whose conversations a caller sees. Under `none` everybody is one person
 * (docs/design/decisions.md#open-server).
 */
export const readerOf = (caller: Caller): ConversationReader => ({
  identity: caller.clientId,
  isAnybody: caller.provider === 'none',
  isAdmin: missingScope(caller, 'admin') === null,
});
