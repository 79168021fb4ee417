import { describe, expect, it } from 'vitest';
import {
  addNewMigrations,
  findChangedMigrations,
  hashMigrations,
  readReleasedHashes,
} from '#scripts/migration-hashes.ts';

const released = { '0001_roles.sql': 'aa', '0002_accounts.sql': 'bb' };

describe('released migrations', () => {
  it('a released migration is never changed: add a new one', () => {
    expect(findChangedMigrations(readReleasedHashes(), hashMigrations())).toEqual([]);
  });

  it('every migration is on the list', () => {
    expect(Object.keys(readReleasedHashes())).toEqual(Object.keys(hashMigrations()));
  });

  it('a changed and a deleted migration are reported', () => {
    expect(findChangedMigrations(released, { '0001_roles.sql': 'other' })).toEqual([
      '0001_roles.sql was changed: a released migration is never changed: add a new one',
      '0002_accounts.sql was deleted: a released migration is never changed: add a new one',
    ]);
  });

  it('generating the list adds new files and keeps the hash of a changed one', () => {
    const present = { '0001_roles.sql': 'other', '0002_accounts.sql': 'bb', '0003_new.sql': 'cc' };
    expect(addNewMigrations(released, present)).toEqual({ ...released, '0003_new.sql': 'cc' });
  });
});
