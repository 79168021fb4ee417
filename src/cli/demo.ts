import { Command } from 'commander';
import { failWith } from './exit.ts';

export function demoCommand(): Command {
  return new Command('demo').description('start the product on simulated stores, with 120 days of history').action(async () => {
    try {
      const { runDemo } = await import('./run-demo.ts');
      await runDemo();
    } catch (error) {
      failWith(error);
    }
  });
}
