import { Command } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import { runCommand, stopped } from './exit.ts';
import { formatFindings } from './format-findings.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check settings, database, replica, queue, limits, mail, disk, clock, proxies, stores, ' +
        'backups and versions, ' +
        'while the product runs or is stopped; writes nothing, and fails when something is wrong',
    )
    .option('--json', 'print the findings as JSON', false)
    .action(({ json }: { json: boolean }) =>
      runCommand(stopped.working, async () => {
        const { examineInstance } = await import('#boot/doctor/examine-instance.ts');
        const findings = await examineInstance(readInstanceConfig);
        const isWell = findings.every(({ state }) => state !== 'error');
        console.log(
          json ? JSON.stringify({ isWell, findings }, null, 2) : formatFindings(findings),
        );
        if (!isWell) process.exitCode = 1;
      }),
    );
}
