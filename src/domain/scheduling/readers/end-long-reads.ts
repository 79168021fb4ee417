import { endLongReads as endThem } from '#db/queries/readers/long-reads.ts';
import type { Services } from '#domain/base/context.ts';

/** Above the limits that a login starts with, so that only a session that lifted them is ended. */
const limits = { statementSeconds: 120, transactionSeconds: 600 };

/** Ends connections of readers whose statement takes longer than any reader's may. */
export async function endLongReads({ systemDb, log }: Services): Promise<void> {
  for (const login of await endThem(systemDb, limits))
    log.warn({ login }, 'a connection of a reader was ended: its statement took too long');
}
