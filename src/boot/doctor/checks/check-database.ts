import { resolve } from 'node:path';
import type { ServerFacts } from '#db/doctor/read-server-facts.ts';
import { sessionModeRemedy, sharedSessions } from '#db/require-session-mode.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const nearlyAll = 0.9;
const ownIt =
  'Use the user who owns the database, or run as a superuser: alter database <name> owner to ' +
  '<user>.';

export function checkDatabase({ config, database }: Readings): Finding[] {
  switch (database.state) {
    case 'none':
      return [skipped('database', `There is no database in ${resolve(config.DATA_DIR)} yet.`)];
    case 'stopped':
      return [
        skipped(
          'database',
          `The embedded database, of PostgreSQL ${database.majorVersion}, is stopped. Start ` +
            'Toprung to check it.',
        ),
      ];
    case 'unreachable':
      return [failure('database', database.reason, remedyOf(config.DATABASE_URL !== null))];
    case 'denied':
      return [
        failure(
          'database',
          `The user in DATABASE_URL lacks privileges: ${database.reason}.`,
          ownIt,
        ),
      ];
    case 'running':
      return checkServer(database.server);
  }
}

const remedyOf = (isOwnServer: boolean): string =>
  isOwnServer
    ? 'Start the server, and compare host, port, user and password with DATABASE_URL.'
    : 'Read postgres.log in DATA_DIR.';

function checkServer(server: ServerFacts): Finding[] {
  const { roundTripMs, connections, connectionsMax } = server;
  const findings: Finding[] = [];
  if (!server.acceptsWrites)
    findings.push(
      failure(
        'database',
        'The server accepts no writes: it is a standby or read-only.',
        'Set DATABASE_URL to the primary server.',
      ),
    );
  if (!server.keepsSessions) findings.push(failure('database', sharedSessions, sessionModeRemedy));
  if (!server.hasRoles && !server.mayCreateRoles)
    findings.push(
      failure(
        'database',
        'The roles toprung_app and toprung_system do not exist, and the user may not create them.',
        'Run as a superuser: alter role <user> createrole.',
      ),
    );
  else if (!server.mayUseRoles)
    findings.push(
      failure(
        'database',
        'The roles toprung_app and toprung_system exist, and the user may not switch to them.',
        'Run as a superuser: grant toprung_app, toprung_system to <user> with set true, inherit ' +
          'true.',
      ),
    );
  if (!server.mayCreateTables)
    findings.push(
      failure(
        'database',
        'The user in DATABASE_URL may not create tables and schemas in the database.',
        ownIt,
      ),
    );
  if (connections >= connectionsMax * nearlyAll)
    findings.push(
      warning(
        'database',
        `${connections} of ${connectionsMax} connections are in use.`,
        'Raise max_connections: a process of Toprung uses up to 65.',
      ),
    );
  if (findings.length > 0) return findings;
  return [
    ok(
      'database',
      `The server responds in ${roundTripMs} ms; ${connections} of ${connectionsMax} ` +
        'connections are in use.',
    ),
  ];
}
