import { type JsonObject, type PluginContext, type Posted, postOnce } from '@kit-run/kit/plugin';

/** Where to post, as the schema of the configuration has checked it. */
export interface PostConfig {
  readonly url: string;
  readonly credentialsRef: string | null;
}

export const decodeConfig = ({ url, credentials_ref: ref }: JsonObject): PostConfig => ({
  url: String(url),
  credentialsRef: typeof ref === 'string' ? ref : null,
});

/** Posts JSON once, with the credential of the configuration. */
export const postJson = (
  { url, credentialsRef }: PostConfig,
  sent: { readonly body: object; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  context: Pick<PluginContext, 'fetch' | 'secrets' | 'signal'>,
): Promise<Posted> =>
  postOnce(
    {
      url,
      body: JSON.stringify(sent.body),
      headers: { 'content-type': 'application/json', ...sent.headers },
      bearer: async () => (credentialsRef === null ? null : context.secrets.credential(credentialsRef)),
      signal: sent.signal,
    },
    context,
  );
