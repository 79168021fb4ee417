import { DataDirInUseError, EmbeddedPostgresUnsupportedError } from '../boot/postgres/launch.ts';
import { Closers } from '../lib/closers.ts';
import { SetupFault } from '../lib/setup-fault.ts';

/** sysexits: 78 is "configuration error", so that a supervisor does not restart for ever. */
const configurationFault = 78;

/** Says what is wrong in one clear line, without a stack for what a person can mend. */
export function failWith(error: unknown): never {
  const isTheirs =
    error instanceof SetupFault ||
    error instanceof DataDirInUseError ||
    error instanceof EmbeddedPostgresUnsupportedError;
  console.error(`toprung: ${error instanceof Error ? error.message : String(error)}`);
  if (!isTheirs && error instanceof Error) console.error(error.stack);
  process.exit(error instanceof SetupFault ? configurationFault : 1);
}

/** For what serves until it is stopped, and for what is not done when it is. */
export const stopped = { serving: 0, working: 1 };

/** Does what a command is for. When it fails, and on SIGTERM or SIGINT whenever that comes, what it has opened so far is closed. */
export async function runCommand(
  codeWhenStopped: number,
  work: (closers: Closers) => Promise<void>,
): Promise<void> {
  const closers = new Closers();
  let isStopping = false;
  stopOnSignals(codeWhenStopped, () => {
    isStopping = true;
    return closers.close();
  });
  try {
    await work(closers);
  } catch (error) {
    // Of a stop the work fails too; the process then ends with the stop.
    if (isStopping) return;
    await closers.close().catch(() => undefined);
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
