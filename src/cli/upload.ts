import { Command } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import { describeUpload } from './describe-upload.ts';
import { runCommand, stopped } from './exit.ts';
import { runAbortably } from './run-abortably.ts';

export function uploadCommand(): Command {
  return new Command('upload')
    .argument('<file>', 'a backup')
    .description(
      'upload a backup to the bucket of BACKUP_S3_URL, or continue an upload that was interrupted',
    )
    .action((path: string) =>
      runCommand(stopped.working, async (shutdownStack) => {
        const { uploadByCommand } = await import('#boot/backups/upload-by-command.ts');
        const config = readInstanceConfig();
        const uploaded = await runAbortably(shutdownStack, (signal, resources) =>
          uploadByCommand(config, resources, { path, signal }),
        );
        await shutdownStack.close();
        console.log(describeUpload(uploaded));
      }),
    );
}
