/**
 * With these, tables that are made and filled in one transaction are not logged row by row; the
 * commit writes their files to the disk instead.
 */
export const restoreFlags = {
  wal_level: 'minimal',
  max_wal_size: '1GB',
  maintenance_work_mem: '256MB',
};
