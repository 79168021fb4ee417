import { describe, expect, it } from 'vitest';
import {
  addNewMigrations,
  findChangedMigrations,
  hashMigrations,
  readReleasedHashes,
} from '#scripts/migration-hashes.ts';

const released = { '0001_roles.sql': 'aa', '0002_accounts.sql': 'bb' };

describe('released migrations', () => {
  it('never change: add a new one instead', () => {
    expect(findChangedMigrations(readReleasedHashes(), hashMigrations())).toEqual([]);
  });

  it('are all in the list', () => {
    expect(Object.keys(readReleasedHashes())).toEqual(Object.keys(hashMigrations()));
  });

  it('are reported when changed or deleted', () => {
    expect(findChangedMigrations(released, { '0001_roles.sql': 'other' })).toEqual([
      '0001_roles.sql was changed: a released migration is never changed: add a new one',
      '0002_accounts.sql was deleted: a released migration is never changed: add a new one',
    ]);
  });

  it('keep their hash when the list is generated, and new files are added', () => {
    const present = { '0001_roles.sql': 'other', '0002_accounts.sql': 'bb', '0003_new.sql': 'cc' };
    expect(addNewMigrations(released, present)).toEqual({ ...released, '0003_new.sql': 'cc' });
  });
});
