import { assertNever } from '../../lib/assert-never.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { identityPreset, namesAnotherIssuer } from '../link/identity-preset.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { servingConfig } from '../link/server-settings.js';
import { objectIn, textAt } from '../read.js';
import { missing, type Report } from '../report.js';

type Serving = ReturnType<typeof servingConfig>;

/** Where `server.auth` says its issuer: in `config`, or directly. */
const issuerPlace = (config: Art): string =>
  textAt(objectIn(config.value, 'server', 'auth', 'config'), 'issuer') === null
    ? '/server/auth/issuer'
    : '/server/auth/config/issuer';

interface Problem {
  readonly message: string;
  readonly help: string;
}

/** Why settings for `jwt` would reach nobody; null = they do. */
function withoutEffect(config: Art, { server, identity }: Serving, issuer: string): Problem | null {
  const what = `the preset \`${identity?.provider ?? ''}\` has no effect`;
  const { provider } = server.auth;
  if (provider !== 'jwt')
    return {
      message: `${what}: \`server.auth.provider\` is \`${provider}\``,
      help: 'write `server: { auth: { provider: jwt } }`, or remove the block',
    };
  if (!namesAnotherIssuer(textAt(server.auth.config, 'issuer'), issuer)) return null;
  return {
    message: `${what}: \`server.auth\` names another issuer than ${issuer}`,
    help: `remove the issuer at ${issuerPlace(config)}, or the block`,
  };
}

function checkIdentity(config: Art, serving: Serving, report: Report): void {
  const { identity } = serving;
  if (identity === null) return;
  const preset = identityPreset(identity);
  switch (preset.kind) {
    case 'builtin':
      for (const key of preset.unread)
        report.add(
          { artifact: config, pointer: pointerTo('/identity/config', key), onKey: true },
          {
            code: 'identity.bad-config',
            severity: 'warning',
            message: `the preset \`builtin\` reads no \`${key}\``,
            help: 'remove it',
          },
        );
      break;
    case 'invalid':
      for (const { key, message } of preset.problems) {
        const pointer = key === null ? '/identity' : pointerTo('/identity/config', key);
        report.add(
          { artifact: config, pointer },
          { code: 'identity.bad-config', message, help: 'docs/auth.md lists the presets' },
        );
      }
      break;
    case 'jwt': {
      const problem = withoutEffect(config, serving, preset.settings.issuer);
      if (problem !== null)
        report.add({ artifact: config, pointer: '/identity/provider' }, { code: 'identity.no-effect', ...problem });
      break;
    }
    default:
      assertNever(preset);
  }
}

/**
 * `server.auth` can work and an `identity` block has an effect. Keys and reserved scopes are judged
 * with the other scopes.
 */
export function checkServerAuth(linked: Linked, known: readonly string[] | null, report: Report): void {
  const { config } = linked.registries;
  const serving = servingConfig(config.value);
  const { provider, config: settings } = serving.server.auth;
  if (known !== null && provider !== 'none' && !known.includes(provider))
    report.add(
      { artifact: config, pointer: '/server/auth/provider' },
      {
        code: 'auth.unknown-provider',
        message: `there is no auth provider \`${provider}\``,
        ...missing('authProviders', provider, known),
      },
    );
  const isPreset = serving.identity !== null && serving.identity.provider !== 'builtin';
  if (provider === 'jwt' && textAt(settings, 'issuer') === null && !isPreset)
    report.add(
      { artifact: config, pointer: '/server/auth' },
      {
        code: 'auth.no-issuer',
        message: 'the provider `jwt` has no issuer',
        help: 'write `config: { issuer: https://... }`, or an `identity` block',
      },
    );
  checkIdentity(config, serving, report);
}
