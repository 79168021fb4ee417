import { DataDirInUseError, EmbeddedPostgresUnsupportedError } from '#embedded-postgres/launch.ts';
import { CommandError } from '#lib/command-error.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { SetupError } from '#lib/setup-error.ts';

/** sysexits: 78 means "configuration error", so that a supervisor does not restart forever. */
export const configurationErrorExitCode = 78;

/** Prints an error in one clear line, without a stack for errors that the user can fix. */
export function failWith(thrown: unknown): never {
  const error = describeOpenFiles(thrown) ?? thrown;
  const isTheirs =
    error instanceof SetupError ||
    error instanceof CommandError ||
    error instanceof DataDirInUseError ||
    error instanceof EmbeddedPostgresUnsupportedError;
  console.error(`toprung: ${error instanceof Error ? error.message : String(error)}`);
  if (!isTheirs && error instanceof Error) console.error(error.stack);
  process.exit(error instanceof SetupError ? configurationErrorExitCode : 1);
}

/** Null for an error that has another reason than the limit of open files. */
function describeOpenFiles(error: unknown): CommandError | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EMFILE' && code !== 'ENFILE') return null;
  const whose = code === 'EMFILE' ? 'this process' : 'this machine';
  return new CommandError(
    `The limit of open files of ${whose} is too low (${code}). Raise it, for example with ` +
      '`ulimit -n 1024`, and start again.',
  );
}

/** Exit codes for commands that serve until stopped, and for commands that fail when stopped. */
export const stopped = { serving: 0, working: 1 };

/**
 * Runs a command. When it fails, or on SIGTERM or SIGINT, everything that it has opened is closed.
 */
export async function runCommand(
  codeWhenStopped: number,
  work: (shutdownStack: ShutdownStack) => Promise<void>,
): Promise<void> {
  const shutdownStack = new ShutdownStack();
  let isStopping = false;
  stopOnSignals(codeWhenStopped, () => {
    isStopping = true;
    return shutdownStack.close();
  });
  try {
    await work(shutdownStack);
  } catch (error) {
    // The stop makes the work fail too. The process then exits as stopped.
    if (isStopping) return;
    await shutdownStack.close().catch(() => undefined);
    failWith(error);
  }
}

/** A second signal, or 30 s, ends the process at once. */
function stopOnSignals(code: number, stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), 29_000).unref();
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(`toprung: stopping failed: ${(error as Error).message}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
