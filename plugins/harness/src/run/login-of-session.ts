import {
  type ExecutorRequest,
  type ExecutorResult,
  isKitError,
  isLoginOver,
  type PluginContext,
} from '@kit-run/kit/plugin';

/** With what a session was started. */
interface Started {
  readonly request: Pick<ExecutorRequest, 'config'>;
  readonly plugin: Pick<PluginContext, 'secrets'>;
  /** The secret of its auth mode; null = it needs none. */
  readonly credential: string | null;
}

/**
 * A session that failed with a login of the workspace: where the login is over, that is what people
 * are told. A program keeps the token that it was started with, so one that was replaced while it
 * worked is over for it, too.
 */
export async function withLogin(
  result: ExecutorResult,
  { request, plugin, credential }: Started,
): Promise<ExecutorResult> {
  const ref = request.config.credentials_ref;
  if (result.status !== 'failure' || credential === null || typeof ref !== 'string') return result;
  const { refusedStatus: status } = result;
  try {
    if (status === 401 || status === 403)
      await plugin.secrets.refused?.(ref, { status, challenge: null, carried: () => true });
    // A program that tells no status: a token that has ended says it for it.
    else await plugin.secrets.credential(ref);
    return result;
  } catch (error) {
    if (!isKitError(error) || !isLoginOver(error.code)) return result;
    return { ...result, loginOver: { code: error.code, message: error.message } };
  }
}
