import type { FastifyRequest } from 'fastify';
/** The two versions of A2A that one endpoint speaks (docs/a2a.md#versions). */
export type A2aVersion = '0.3' | '1.0';

/** What a method asks for, whatever it is called. */
export type Operation = 'send' | 'stream' | 'get' | 'list' | 'cancel' | 'follow' | 'push' | 'extended-card';

const METHODS: Readonly<Record<A2aVersion, ReadonlyMap<string, Operation>>> = {
  '0.3': new Map([
    ['message/send', 'send'],
    ['message/stream', 'stream'],
    ['tasks/get', 'get'],
    ['tasks/list', 'list'],
    ['tasks/cancel', 'cancel'],
    ['tasks/subscribe', 'follow'],
    ['tasks/resubscribe', 'follow'],
    ['tasks/pushNotificationConfig/set', 'push'],
    ['tasks/pushNotificationConfig/get', 'push'],
    ['tasks/pushNotificationConfig/list', 'push'],
    ['tasks/pushNotificationConfig/delete', 'push'],
    ['agent/getAuthenticatedExtendedCard', 'extended-card'],
  ]),
  '1.0': new Map([
    ['SendMessage', 'send'],
    ['SendStreamingMessage', 'stream'],
    ['GetTask', 'get'],
    ['ListTasks', 'list'],
    ['CancelTask', 'cancel'],
    ['SubscribeToTask', 'follow'],
    ['CreateTaskPushNotificationConfig', 'push'],
    ['GetTaskPushNotificationConfig', 'push'],
    ['ListTaskPushNotificationConfigs', 'push'],
    ['DeleteTaskPushNotificationConfig', 'push'],
    ['GetExtendedAgentCard', 'extended-card'],
  ]),
};

/** Null: the version has no such method. */
export const operationOf = (version: A2aVersion, method: string): Operation | null =>
  METHODS[version].get(method) ?? null;

export const methodsOf = (version: A2aVersion): readonly string[] => [...METHODS[version].keys()];

/**
 * By the header `A2A-Version`: absent is 0.3, a patch level says nothing; null = not spoken here.
 */
export function versionOf(header: string | readonly string[] | undefined): A2aVersion | null {
  const asked = typeof header === 'string' ? header.trim() : (header ?? '');
  if (asked === '') return '0.3';
  const [, known] = /^(0\.3|1\.0)(?:\.\d{1,9})?$/.exec(String(asked)) ?? [];
  return known === '0.3' || known === '1.0' ? known : null;
}

/** In which version a request is answered, also one that asks for none that is spoken here. */
export const versionAsked = ({ headers }: Pick<FastifyRequest, 'headers'>): A2aVersion =>
  versionOf(headers['a2a-version']) ?? '1.0';
