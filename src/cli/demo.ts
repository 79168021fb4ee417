import { Command } from 'commander';
import { runCommand, stopped } from './exit.ts';

export function demoCommand(): Command {
  return new Command('demo')
    .description('start the product with simulated stores and 120 days of history')
    .action(() =>
      runCommand(stopped.serving, async (shutdownStack) => {
        const { runDemo } = await import('./run-demo.ts');
        await runDemo(shutdownStack);
      }),
    );
}
