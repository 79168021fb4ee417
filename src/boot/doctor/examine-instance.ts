import { doctorChecks } from '#contract/diagnostics.ts';
import type { Config } from '#config/env.ts';
import { SetupError } from '#lib/setup-error.ts';
import { checkBackups } from './checks/check-backups.ts';
import { checkClock } from './checks/check-clock.ts';
import { checkDatabase } from './checks/check-database.ts';
import { checkDisk } from './checks/check-disk.ts';
import { checkLimits } from './checks/check-limits.ts';
import { checkMail } from './checks/check-mail.ts';
import { checkProxies } from './checks/check-proxies.ts';
import { checkQueue } from './checks/check-queue.ts';
import { checkReplica } from './checks/check-replica.ts';
import { checkSettings } from './checks/check-settings.ts';
import { checkStores } from './checks/check-stores.ts';
import { checkVersions } from './checks/check-versions.ts';
import { failure, skipped, type Finding } from './finding.ts';
import type { Readings } from './readings.ts';
import { takeReadings, type ReadingOptions } from './take-readings.ts';

export type { Finding } from './finding.ts';

type Check = (readings: Readings) => Finding[] | Promise<Finding[]>;

/** In the order in which people look for a cause. */
const checks: Record<Finding['check'], Check> = {
  settings: checkSettings,
  versions: checkVersions,
  database: checkDatabase,
  replica: checkReplica,
  clock: checkClock,
  disk: checkDisk,
  queue: checkQueue,
  limits: checkLimits,
  mail: checkMail,
  proxies: checkProxies,
  stores: checkStores,
  backups: checkBackups,
};

/**
 * Runs every check on the instance of these settings, whether it runs or not, and writes nothing.
 * With wrong settings there is nothing else to look at.
 */
export async function examineInstance(
  readSettings: () => Config,
  options: ReadingOptions = {},
): Promise<Finding[]> {
  let config: Config;
  try {
    config = readSettings();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return reportWrongSettings(error);
  }
  const readings = await takeReadings(config, options);
  const findings = await Promise.all(doctorChecks.map((name) => runCheck(name, readings)));
  return findings.flat();
}

/** A check that fails is a finding, too. */
async function runCheck(name: Finding['check'], readings: Readings): Promise<Finding[]> {
  try {
    return await checks[name](readings);
  } catch (error) {
    return [failure(name, (error as Error).message, 'Report this with the output of the doctor.')];
  }
}

function reportWrongSettings({ message }: SetupError): Finding[] {
  const faults = message.split('\n').slice(1);
  const [, ...others] = doctorChecks;
  return [
    ...faults.map((fault) =>
      failure(
        'settings',
        `${fault.trim()}.`,
        'Correct it: docs/configuration.md has all settings.',
      ),
    ),
    ...others.map((name) => skipped(name, 'Settings must be corrected first.')),
  ];
}
