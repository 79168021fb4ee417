import { CommandError } from '#lib/command-error.ts';
import {
  createLogin,
  findLogin,
  makePassword,
  refuseLogin,
  setPassword,
  withRights,
} from './login-roles.ts';
import { writeReaderAudit } from './reader-audit.ts';
import { asSystem, inReaderTransaction, withReaderClient } from './reader-client.ts';
import { scramVerifier } from './scram-verifier.ts';

export interface ReaderPassword {
  login: string;
  /** Shown once; nothing of ours stores it. */
  password: string;
  workspaceId: number;
  workspace: string;
}

/**
 * Gives a reader another password, and creates its login where the server lacks it, as after a
 * restore. Connections that are open stay. Throws CommandError, which says what to do.
 */
export function setReaderPassword(url: string, login: string, now: Date): Promise<ReaderPassword> {
  return withReaderClient(url, (client) =>
    inReaderTransaction(client, async () => {
      const [bound] = await asSystem<{ workspaceId: number; workspace: string }>(
        client,
        `select r.workspace_id as "workspaceId", w.name as workspace
         from reader_logins r join workspaces w on w.id = r.workspace_id where r.login = $1`,
        [login],
      );
      if (bound === undefined)
        throw new CommandError(`There is no reader ${login}. \`toprung reader list\` shows all.`);
      const password = makePassword();
      const verifier = scramVerifier(password);
      await withRights(client, login, async () => {
        await client.query('select prepare_readers()');
        const found = await findLogin(client, login);
        if (found === null) await createLogin(client, login, verifier);
        else if (found.readsOnly) await setPassword(client, login, verifier);
        else throw refuseLogin(login);
      });
      const { workspaceId } = bound;
      await writeReaderAudit(client, {
        workspaceId,
        login,
        action: 'reader.password_changed',
        now,
      });
      return { login, password, ...bound };
    }),
  );
}
