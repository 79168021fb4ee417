import { DataDirInUseError, EmbeddedPostgresUnsupportedError } from '../boot/postgres/launch.ts';
import { SetupFault } from '../lib/setup-fault.ts';

/** sysexits: 78 is "configuration error", so that a supervisor does not restart for ever. */
const configurationFault = 78;

/** Says what is wrong in one clear line, without a stack for what a person can mend. */
export function failWith(error: unknown): never {
  const isTheirs = error instanceof SetupFault || error instanceof DataDirInUseError || error instanceof EmbeddedPostgresUnsupportedError;
  console.error(`toprung: ${error instanceof Error ? error.message : String(error)}`);
  if (!isTheirs && error instanceof Error) console.error(error.stack);
  process.exit(error instanceof SetupFault ? configurationFault : 1);
}

/** Ends the process in order on SIGTERM or SIGINT; a second signal, or 30 s, ends it at once. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), 29_000).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`toprung: stopping failed: ${(error as Error).message}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
