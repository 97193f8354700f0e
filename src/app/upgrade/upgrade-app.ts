import type { UpgradeOutcome, UpgradePlan } from '../../view/upgrade-report.js';

export interface UpgradeAsk {
  /** A version; null = the newest. */
  readonly to: string | null;
  /** Address of a registry; null = that of npm's own settings. */
  readonly registry: string | null;
}

/** Upgrading the kit that runs. Nothing else of kit ever looks for a newer one. */
export interface UpgradeApp {
  /**
   * Asks the registry and looks at what is here; changes nothing. Throws KIT_UPGRADE_UNKNOWN where
   * the registry cannot be asked, or has no such version.
   */
  plan(ask: UpgradeAsk): Promise<UpgradePlan>;
  /**
   * Runs the installer, then the new kit; one that does not run is replaced by the old one. Throws
   * KIT_UPGRADE_MANUAL for a kit that an installer did not bring.
   */
  install(plan: UpgradePlan, ask: Pick<UpgradeAsk, 'registry'>): Promise<UpgradeOutcome>;
}
