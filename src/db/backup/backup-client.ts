import type pg from 'pg';
import { applySettings } from '../driver/session-settings.ts';
import { withClient } from '../driver/with-client.ts';

/** Values have the same text on every server, whatever its settings are. */
const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Rows are read in the order in which they are stored.
  synchronize_seqscans: 'off',
  // The server notices within a second that a killed backup is gone.
  client_connection_check_interval: '1000',
};

/** Runs `work` on a connection of its own, in the role of `url`. */
export async function withBackupClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(
    url,
    async (client) => {
      await applySettings(client, settings);
      return work(client);
    },
    { applicationName: 'toprung-backup' },
  );
}
