import { type AllowedHost, type Json, readAllowedHost } from '@kit-run/kit/plugin';
import type { SpecReader } from './read.js';
import type { ContainerSandbox, Mount, SandboxBuild } from './spec.js';

function readBuild(reader: SpecReader, value: Json | undefined): SandboxBuild | null {
  if (value === undefined) return null;
  const build = reader.object(value, '/sandbox/build');
  const text = (key: string): string | null =>
    build[key] === undefined ? null : reader.text(build[key], `/sandbox/build/${key}`);
  return {
    base: text('base'),
    dockerfile: text('dockerfile'),
    inline: text('dockerfile_inline'),
    install: reader.texts(build.install, '/sandbox/build/install'),
  };
}

function readMount(reader: SpecReader, value: Json, pointer: string): Mount {
  const mount = reader.object(value, pointer);
  return {
    source: reader.text(mount.source, `${pointer}/source`),
    target: reader.text(mount.target, `${pointer}/target`),
    isWritable: mount.mode === 'rw',
  };
}

function readAllow(reader: SpecReader, sandbox: { readonly network?: Json; readonly allow?: Json }): AllowedHost[] {
  const hosts = reader.texts(sandbox.allow, '/sandbox/allow').flatMap((entry, i) => {
    const host = readAllowedHost(entry);
    if (!('problem' in host)) return [host];
    reader.problem(`/sandbox/allow/${i}`, host.problem);
    return [];
  });
  const network = sandbox.network ?? 'deny';
  if (network !== 'deny' && network !== 'allowlist') reader.problem('/sandbox/network', 'must be deny or allowlist');
  else if ((network === 'allowlist') !== hosts.length > 0)
    reader.problem('/sandbox/allow', 'must name hosts with `network: allowlist`, and none without it');
  return hosts;
}

/** `sandbox` of an adapter; null = the worktree alone. */
export function readSandbox(reader: SpecReader, value: Json | undefined): ContainerSandbox | null {
  const sandbox = reader.object(value, '/sandbox');
  if (sandbox.kind !== 'container') return null;
  const resources = reader.object(sandbox.resources, '/sandbox/resources');
  const text = (key: string): string | null =>
    resources[key] === undefined ? null : reader.text(resources[key], `/sandbox/resources/${key}`);
  return {
    image: sandbox.image === undefined ? null : reader.text(sandbox.image, '/sandbox/image'),
    build: readBuild(reader, sandbox.build),
    mounts: reader
      .list(sandbox.mounts, '/sandbox/mounts')
      .map((mount, i) => readMount(reader, mount, `/sandbox/mounts/${i}`)),
    allow: readAllow(reader, sandbox),
    resources: {
      cpus: text('cpus'),
      memory: text('memory'),
      pids: typeof resources.pids === 'number' ? resources.pids : null,
    },
  };
}
