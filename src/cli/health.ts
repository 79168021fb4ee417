import { Command } from 'commander';
import { readHealth } from '#boot/health/read-health.ts';
import { readInstanceConfig } from '#config/env-file.ts';
import { SetupError } from '#lib/setup-error.ts';
import { runCommand, stopped } from './exit.ts';

export function healthCommand(): Command {
  return new Command('health')
    .description(
      'ask the running process for its state over HEALTH_SOCKET; fails unless it can serve',
    )
    .option('--live', 'only ask whether it responds, also while it starts', false)
    .option('--json', 'print the report as JSON', false)
    .action(({ live, json }: { live: boolean; json: boolean }) =>
      runCommand(stopped.working, async () => {
        const { HEALTH_SOCKET } = readInstanceConfig();
        if (HEALTH_SOCKET === null)
          throw new SetupError('Set HEALTH_SOCKET to a path, for this command and the process.');
        const report = await readHealth(HEALTH_SOCKET, live ? '/live' : '/ready');
        const { role, state, checks } = report;
        const parts = checks.map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failing'}`);
        console.log(json ? JSON.stringify(report) : [`${role} ${state}`, ...parts].join(', '));
        if (!live && state !== 'ok') process.exitCode = 1;
      }),
    );
}
