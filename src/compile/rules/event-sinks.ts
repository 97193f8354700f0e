import { EVENT_TYPES, isTypeName } from '../../domain/events.js';
import type { ContributionInfo } from '../../domain/extension-points.js';
import type { EventSinkEntry } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art, Checked } from '../link/registries.js';
import { sinkSettings } from '../link/server-settings.js';
import { didYouMean, missing, type Report } from '../report.js';

/** What a rule knows of an event sink contribution. */
export type SinkFacts = Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>;

interface Host {
  /** Null = not known here, so that none is missed. */
  readonly eventSinks: readonly SinkFacts[] | null;
  readonly configIssues: (schema: JsonObject, config: JsonObject) => readonly JsonIssue[];
}

/**
 * Rules on `events` and `server.signal`: what is wrong there would be found out when the first
 * event is lost.
 */
export function checkEventSinks(linked: Linked, host: Host, report: Report): void {
  const { config } = linked.registries;
  (config.value.events ?? []).forEach((entry, index) => {
    checkTypes(config, { entry, index }, report);
    checkSink(config, { entry, index, host }, report);
  });
  checkSignal(config, report);
}

function checkTypes(
  config: Art,
  { entry, index }: { readonly entry: EventSinkEntry; readonly index: number },
  report: Report,
): void {
  (entry.types ?? []).forEach((name, at) => {
    if (isTypeName(name)) return;
    report.add(
      { artifact: config, pointer: pointerTo('/events', index, 'types', at) },
      {
        code: 'events.unknown-type',
        message: `there is no event type \`${name}\``,
        help: didYouMean(name, EVENT_TYPES),
      },
    );
  });
}

function checkSink(
  config: Art,
  of: { readonly entry: EventSinkEntry; readonly index: number; readonly host: Host },
  report: Report,
): void {
  const { entry, index, host } = of;
  if (host.eventSinks === null) return;
  const settings = sinkSettings(entry);
  const place = { artifact: config, pointer: pointerTo('/events', index) };
  const isPlugin = entry.sink === 'plugin';
  const found = host.eventSinks.find(({ id, name }) => id === settings.sink || name === settings.sink);
  if (found === undefined) {
    report.add(
      { ...place, pointer: pointerTo(place.pointer, isPlugin ? 'provider_id' : 'sink') },
      {
        code: 'events.unknown-sink',
        message: `no installed plugin contributes the event sink \`${settings.sink}\``,
        ...missing(
          'eventSinks',
          settings.sink,
          host.eventSinks.map(({ name }) => name),
        ),
      },
    );
    return;
  }
  if (found.configSchema === null) return;
  for (const issue of host.configIssues(found.configSchema, settings.config)) {
    const value = issue.pointer === '' ? undefined : atPointer(settings.config, issue.pointer);
    // A value that still holds a reference is judged when it is resolved: at the start of the
    // server.
    if (typeof value === 'string' && /\$\{|\{credential\./.test(value)) continue;
    const base = isPlugin && entry.config !== undefined ? pointerTo(place.pointer, 'config') : place.pointer;
    report.add(
      { ...place, pointer: value === undefined ? base : `${base}${issue.pointer}` },
      {
        code: 'events.bad-config',
        message: `the settings of the event sink \`${settings.sink}\` do not fit: ${issue.message}`,
      },
    );
  }
}

/** An address of HTTP without a name or password in it; `credentials_ref` is for those. */
const HTTP_ADDRESS = /^https?:\/\/[^/?#@\s]+([/?][^#\s]*)?$/;

function checkSignal(config: Checked<'Workspace'>, report: Report): void {
  const url = config.value.server?.signal?.url;
  if (url === undefined || url.includes('${') || HTTP_ADDRESS.test(url)) return;
  report.add(
    { artifact: config, pointer: '/server/signal/url' },
    {
      code: 'events.bad-config',
      message: 'the address of the listener must be an http or https address without a password',
      help: 'name a secret with `credentials_ref`',
    },
  );
}
