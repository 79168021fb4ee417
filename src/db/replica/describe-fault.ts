import type { ReplicaFault } from './replica-facts.ts';

interface Description {
  message: string;
  remedy: string;
  /** The setting is wrong; otherwise the replica may recover by itself. */
  isMistake: boolean;
}

/** The message of each fault of the server at DATABASE_READ_URL, with its remedy. */
export const faultDescriptions: Record<ReplicaFault, Description> = {
  unreachable: {
    message: 'The replica at DATABASE_READ_URL does not respond.',
    remedy: 'Start it, and compare host, port, user and password with DATABASE_READ_URL.',
    isMistake: false,
  },
  behind: {
    message: 'The replica at DATABASE_READ_URL is behind the primary.',
    remedy: 'Look at pg_stat_replication of the primary and at the disk of the replica.',
    isMistake: false,
  },
  not_a_replica: {
    message: 'The server at DATABASE_READ_URL is not a replica: it accepts writes.',
    remedy:
      'Set DATABASE_READ_URL to a streaming replica of DATABASE_URL. After a failover the two ' +
      'addresses may have to be exchanged.',
    isMistake: true,
  },
  another_database: {
    message: 'The server at DATABASE_READ_URL has another database than DATABASE_URL.',
    remedy: 'Use the same database name, on a streaming replica of that server.',
    isMistake: true,
  },
  another_timeline: {
    message: 'The replica at DATABASE_READ_URL follows another primary than DATABASE_URL.',
    remedy:
      'After a failover wait for the next checkpoint of the replica. If this stays, compare its ' +
      'primary_conninfo with DATABASE_URL.',
    isMistake: false,
  },
  shared_sessions: {
    message:
      'The connection pooler at DATABASE_READ_URL gives one session of PostgreSQL to several ' +
      'connections (transaction or statement mode). The rows of one workspace would be missing ' +
      'in the reads of another.',
    remedy: 'Set pool_mode = session in PgBouncer, or set DATABASE_READ_URL to the replica itself.',
    isMistake: true,
  },
};
