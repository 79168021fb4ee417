import { z } from 'zod';
import { change } from './changes.ts';
import { categoryRank } from './charts.ts';
import {
  bigId,
  bigInteger,
  country,
  device,
  id,
  instant,
  storeName,
  textOf,
  utcDay,
} from './common.ts';
import { depth, provider } from './rankings.ts';
import { ratingDay, review } from './reviews.ts';
import { recordedScore } from './scores.ts';
import { serpItem } from './serp.ts';

const text = (max: number) => textOf(max, z.string());
const line = (max: number) => text(max).nullable();
/** Only addresses that a browser may follow. */
const address = text(4_096).regex(/^https?:\/\/[^\s"'<>\\]+$/i, 'a web address');
const storeAppId = z.string().min(1).max(200);
const market = { keywordId: id, phrase: text(100), country, device };

/** The texts of a listing as a snapshot stores them. */
const fields = z.strictObject({
  bundleId: line(300),
  name: text(500),
  developer: line(500),
  iconUrl: address.nullable(),
  subtitle: line(500),
  summary: line(2_000),
  description: line(20_000),
  storeUrl: z.union([address, z.literal('')]),
  categoryId: line(100),
  category: line(200),
  priceMicros: z.number().min(0).nullable(),
  currency: line(10),
  version: line(100),
  releaseNotes: line(20_000),
  releasedAt: line(40),
  updatedAt: line(40),
  contentRating: line(100),
  sizeBytes: z
    .string()
    .regex(/^\d{1,19}$/)
    .nullable(),
  minimumOsVersion: line(100),
  languages: z.array(text(40)).max(500),
  screenshotUrls: z.array(address).max(100),
  developerId: line(200),
  developerUrl: address.nullable(),
  inAppPurchases: z.boolean().nullable(),
});

/**
 * Facts that an instance read from the stores, as an export has them: the items of the API's lists.
 * Other members are ignored.
 */
export const importedFacts = {
  serp: z
    .object({
      ...serpItem.shape,
      ...market,
      date: utcDay,
      depth,
      resultCount: z.int().min(0).max(32_767),
      provider,
      adsBefore: z.int().min(0).max(100).nullable(),
      /** Absent in the files of earlier versions. */
      ended: z.enum(['depth', 'exhausted', 'truncated']).optional(),
      language: line(35).optional(),
      storeAppId,
      name: line(500),
      developer: line(500),
      iconUrl: address.nullable(),
      rating: z.number().min(0).max(5).nullable(),
      /** 0 for an app without ratings; null for unknown ones, or in files of earlier versions. */
      ratingCount: z.int().min(0).nullable(),
    })
    .refine((row) => row.position <= row.depth, 'a position within its depth'),
  reviews: z.object({
    ...review.omit({ etag: true }).shape,
    storeReviewId: z.string().min(1).max(200),
    author: line(500),
    title: line(2_000),
    body: text(20_000),
    version: line(100),
    language: line(20),
    reply: z.object({ text: text(20_000), at: instant.nullable() }).nullable(),
  }),
  changes: z.object(change.shape),
  category_ranks: z
    .object({ ...categoryRank.shape, appId: id })
    .refine((row) => (row.position ?? 0) <= row.depth, 'a position within its depth'),
  charts: z
    .object({
      appId: id,
      date: utcDay,
      country,
      category: categoryRank.shape.category,
      chart: categoryRank.shape.chart,
      depth: categoryRank.shape.depth,
      readAt: instant,
      apps: z.array(z.object({ storeAppId, name: line(500) })).max(200),
    })
    .refine((row) => row.apps.length <= row.depth, 'apps within its depth'),
  scores: z.object({ ...recordedScore.shape, ...market, appId: id, store: storeName }),
  listing_days: z.object({
    ...ratingDay.shape,
    appId: id,
    competitorId: id.nullable(),
    listing: z.object({ store: storeName, storeAppId, name: line(500) }),
    /** Absent in the files of earlier versions. */
    page: ratingDay.pick({ rating: true, ratingCount: true }).nullable().optional(),
    installs: bigInteger.nullable(),
    price: z.number().min(0).nullable(),
    readAt: instant.nullable(),
  }),
  snapshots: z.object({
    id: bigId,
    appId: id,
    competitorId: id.nullable(),
    country,
    language: line(35),
    takenAt: instant,
    supersededAt: instant.nullable(),
    name: line(500),
    version: line(100),
    changed: z.array(change.shape.field).max(100),
    fields: fields.nullable(),
  }),
};

export type FactKind = keyof typeof importedFacts;
export type Fact<Kind extends FactKind> = z.output<(typeof importedFacts)[Kind]>;
