import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { ReadStorage } from './read-storage.js';
import type { RetentionAge } from './storage-app.js';

/** How long the workspace says that audit is kept. */
export const retentionOf = ({ auditRetentionDays }: Pick<ReadStorage, 'auditRetentionDays'>): RetentionAge =>
  auditRetentionDays === null
    ? { olderThanDays: DEFAULTS['Storage.audit'].retention_days, source: 'default' }
    : { olderThanDays: auditRetentionDays, source: 'storage.audit.retention_days' };
