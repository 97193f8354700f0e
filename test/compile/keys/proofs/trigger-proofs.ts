import type { EffectProof } from './proof.js';

const CRON = { 'Trigger.type': 'cron', 'Trigger.config': { expression: '0 6 * * *' } };
const EVENT = {
  'Trigger.type': 'webhook',
  'Trigger.config': {},
  'Trigger.targets': [{ pipeline: 'oms', emit: 'ready' }],
};
const SIGNED = { 'Trigger.type': 'webhook', 'Trigger.config': { auth: { method: 'hmac', credentials_ref: 'ONE' } } };
/** The older form: what is written implies the type. */
const INLINE = { 'Trigger.type': undefined };

/**
 * Keys that decide when a trigger fires, what it starts, and who may fire it; they need the scene
 * of triggers.
 */
export const TRIGGER_PROOFS: readonly EffectProof[] = [
  { key: 'Trigger.type', a: 'manual', b: 'webhook', given: { 'Trigger.config': {} } },
  { key: 'Trigger.enabled', a: true, b: false, given: CRON },
  { key: 'Trigger.targets.*.pipeline', a: 'oms', b: 'crm', given: EVENT },
  { key: 'Trigger.targets.*.emit', a: 'ready', b: 'done', given: EVENT },
  { key: 'Trigger.targets.*.correlation_id', a: '$.first', b: '$.second', given: EVENT },
  {
    key: 'Trigger.provider_id',
    a: 'acme-queue',
    b: 'acme-other',
    given: { 'Trigger.type': 'plugin', 'Trigger.config': { topic: 't' } },
  },
  { key: 'Trigger.schedule', a: '0 6 * * *', b: '0 7 * * *', given: INLINE },
  { key: 'Trigger.secret', a: 'ONE', b: 'TWO', given: INLINE },
  {
    key: 'Trigger.config',
    a: { expression: '0 6 * * *' },
    b: { expression: '0 6 * * *', timezone: 'Europe/Berlin' },
    given: { 'Trigger.type': 'cron' },
  },
  { key: 'Trigger.config.auth.method', a: 'hmac', b: 'api_key', given: SIGNED },
  { key: 'Trigger.config.auth.credentials_ref', a: 'ONE', b: 'TWO', given: SIGNED },
  { key: 'Trigger.config.auth.header', a: 'X-First', b: 'X-Second', given: SIGNED },
  { key: 'Trigger.config.auth.repeats', a: 'start', b: 'same_run', given: SIGNED },
];
