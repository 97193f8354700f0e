import type { SourceOptions } from '../options.js';
import { Client } from '../sdk/parts.js';

/**
 * A client of the protocol's 2025 revisions, which newer servers speak as well. It offers no
 * sampling and no roots: a server gets what a call gives it.
 */
export function makeClient(version: string, { elicitation }: SourceOptions): Client {
  const info = { name: 'kit', version };
  if (elicitation === 'decline') return new Client(info, { capabilities: {} });
  const client = new Client(info, { capabilities: { elicitation: { form: { applyDefaults: true } } } });
  // The client fills in the defaults of the server's form; a form that they do not fill is refused
  // by the client's own check.
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  return client;
}
