import type { ServerFacts } from '#db/doctor/read-server-facts.ts';
import { sessionModeRemedy, sharedSessions } from '#db/require-session-mode.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const nearlyAll = 0.9;

export function checkDatabase({ config, database }: Readings): Finding[] {
  switch (database.state) {
    case 'none':
      return [skipped('database', `There is no database in ${config.DATA_DIR} yet.`)];
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
  if (connections >= connectionsMax * nearlyAll)
    findings.push(
      warning(
        'database',
        `${connections} of ${connectionsMax} connections are in use.`,
        'Raise max_connections: a process of Toprung uses up to 50.',
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
