/** Days that audit is kept where `storage.audit.retention_days` is not written. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 365;
