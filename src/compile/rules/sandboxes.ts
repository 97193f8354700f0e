import { readAllowedHost } from '../../domain/egress-hosts.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Place, Report } from '../report.js';

/** The letters of `registry:5000/team/name:tag@sha256:...`: no blank, no option, no shell. */
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/;

/** An image that no runtime could be asked for is refused before a run starts. */
export function checkSandboxImages(linked: Linked, report: Report): void {
  const { config, adapters } = linked.registries;
  const check = (image: string | undefined, place: Place): void => {
    if (image === undefined || IMAGE.test(image) || image.includes('${')) return;
    report.add(place, {
      code: 'sandbox.bad-image',
      message: `\`${image}\` names no image`,
      help: 'write `registry/name:tag`; options of the runtime do not belong here',
    });
  };
  config.value.mcp_servers?.forEach((server, index) => {
    const pointer = pointerTo('', 'mcp_servers', index, 'sandbox_image');
    check(server.sandbox_image, { artifact: config, pointer });
  });
  for (const artifact of adapters.values())
    check(artifact.value.spec.sandbox?.image, { artifact, pointer: '/spec/sandbox/image' });
}

export const HOSTS = {
  code: 'adapter.network-allowlist',
  help: 'write names such as api.example.org, *.example.org or api.example.org:8443',
} as const;

/** Reports each entry that is not a host which kit can hold a container to. */
export function reportHosts(allow: readonly string[], place: (index: number) => Place, report: Report): void {
  allow.forEach((entry, index) => {
    const host = readAllowedHost(entry);
    if (!('problem' in host)) return;
    report.add(place(index), { ...HOSTS, message: `\`${entry.slice(0, 100)}\` ${host.problem}` });
  });
}

/** `sandbox_allow` of tool servers: it holds in a container alone, and each entry is a host. */
export function checkServerHosts({ registries: { config } }: Linked, report: Report): void {
  config.value.mcp_servers?.forEach(({ sandbox_allow: allow = [], sandboxed }, index) => {
    const at = pointerTo('', 'mcp_servers', index, 'sandbox_allow');
    if (allow.length > 0 && sandboxed !== true) {
      const message =
        '`sandbox_allow` holds in a container alone: without one a program has the network of the machine';
      report.add({ artifact: config, pointer: at }, { ...HOSTS, message, help: 'write `sandboxed: true`' });
    }
    reportHosts(allow, (entry) => ({ artifact: config, pointer: pointerTo(at, entry) }), report);
  });
}
