/** The schemas of the weekly sync of published popularity. */
import { z } from 'zod';
import { popularityGenres } from '#stores/profile.ts';
import { country, id, instant, utcDay } from './common.ts';

export const genre = z.enum(popularityGenres).meta({ id: 'PopularityGenre' });
export const published = z.int().min(1).max(100);
const week = utcDay.meta({ description: 'The Sunday with which the week begins.' });

export const popularitySync = z
  .strictObject({
    credentials: z
      .strictObject({
        clientId: z.string(),
        teamId: z.string(),
        keyId: z.string(),
        accountId: z.string().meta({ description: 'The ad account through which is read.' }),
        accountName: z.string(),
        savedBy: z.string().meta({ description: 'The e-mail address of an operator.' }),
        savedAt: instant,
        state: z.enum(['accepted', 'rejected']).meta({
          description: 'rejected: the publisher refuses the key, and nothing is requested.',
        }),
      })
      .nullable()
      .meta({ description: 'Null without credentials. The private key is never returned.' }),
    state: z.enum(['off', 'waiting', 'due', 'running', 'retrying', 'stopped']).meta({
      description:
        'off: there are no credentials. waiting: the last sync succeeded, and the next one ' +
        'follows at `nextAt`. due: a sync was requested or its time has come, and it has not ' +
        'begun. retrying: the last attempt failed, and another one follows at `nextAt`. stopped: ' +
        'the key was rejected.',
    }),
    newestWeek: utcDay.meta({ description: 'The Sunday of the newest published week.' }),
    nextAt: instant.nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable().meta({ description: 'Of the last sync without a failure.' }),
    failure: z
      .strictObject({
        code: z.enum([
          'bad_key',
          'unreadable_key',
          'rejected',
          'no_account',
          'limited',
          'unavailable',
          'unreadable',
          'internal',
        ]),
        message: z.string(),
        at: instant,
      })
      .nullable(),
    requestsToday: z.int(),
    requestsPerDay: z.int(),
    quarantined: z.int().meta({ description: 'Weeks that wait for a decision.' }),
    weeks: z
      .array(
        z.strictObject({
          country,
          week,
          outcome: z.enum(['synced', 'empty', 'quarantined', 'discarded']).meta({
            description: 'empty: the publisher has no terms of the country.',
          }),
          terms: z.int(),
          updatedAt: instant,
        }),
      )
      .meta({ description: 'The newest four weeks by country.' }),
  })
  .meta({ id: 'PopularitySync' });

export const quarantinedWeek = z
  .strictObject({
    id,
    country,
    week,
    terms: z.int(),
    termsBefore: z.int().nullable().meta({
      description: 'Of the week that it was compared with; null without one.',
    }),
    unreadable: z.int().meta({ description: 'Rows that could not be read.' }),
    reasons: z.array(
      z.strictObject({
        reason: z.enum([
          'unreadable_rows',
          'same_value',
          'few_terms',
          'few_genres',
          'few_shared_terms',
        ]),
        percent: z.number().meta({
          description:
            'unreadable_rows: of all rows. same_value: terms with the most frequent popularity. ' +
            'few_terms, few_genres: of those of the week before. few_shared_terms: terms that ' +
            'the week before has too.',
        }),
        limit: z.number(),
      }),
    ),
    readAt: instant,
    first: z
      .array(
        z.strictObject({
          term: z.string(),
          genre,
          rankInGenre: z.int().min(1),
          popularity: published,
        }),
      )
      .meta({ description: 'The ten most popular terms.' }),
  })
  .meta({ id: 'QuarantinedPopularity' });

const identifier = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9._-]+$/, 'a–z, A–Z, 0–9, dots, hyphens and underscores');
const pem = z
  .string()
  .trim()
  .max(2_000)
  .regex(
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{48,}-----END [A-Z ]*PRIVATE KEY-----\n?$/,
    'a PEM file',
  )
  .meta({ description: 'The elliptic-curve key (P-256) as PEM, without a password.' });
export const popularityCredentials = z.strictObject({
  clientId: identifier,
  teamId: identifier,
  keyId: identifier,
  privateKey: pem,
});
