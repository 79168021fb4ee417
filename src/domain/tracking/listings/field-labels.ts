import type { ChangedField } from '#contract/changes.ts';

/** Names of listing fields in the API's sentences. */
export const fieldLabels: Record<ChangedField, string> = {
  name: 'name',
  subtitle: 'subtitle',
  summary: 'short description',
  description: 'description',
  developer: 'developer',
  iconUrl: 'icon',
  screenshotUrls: 'screenshots',
  category: 'category',
  price: 'price',
  currency: 'currency',
  version: 'version',
  releaseNotes: 'release notes',
  contentRating: 'content rating',
  minimumOsVersion: 'required system version',
  languages: 'languages',
  inAppPurchases: 'in-app purchases',
};
