import type { EventTextKey } from '#contract/events/event-definitions.ts';
import type account from './locales/en/account.json';
import type actionReasons from './locales/en/action-reasons.json';
import type actionTitles from './locales/en/action-titles.json';
import type actions from './locales/en/actions.json';
import type alerts from './locales/en/alerts.json';
import type briefing from './locales/en/briefing.json';
import type capacity from './locales/en/capacity.json';
import type charts from './locales/en/charts.json';
import type conflict from './locales/en/conflict.json';
import type competitorLines from './locales/en/competitor-lines.json';
import type countryScores from './locales/en/country-scores.json';
import type competitors from './locales/en/competitors.json';
import type importsExports from './locales/en/imports-exports.json';
import type digest from './locales/en/digest.json';
import type suggestions from './locales/en/suggestions.json';
import type distribution from './locales/en/distribution.json';
import type events from './locales/en/events.json';
import type published from './locales/en/published.json';
import type frame from './locales/en/frame.json';
import type keyword from './locales/en/keyword.json';
import type keywordField from './locales/en/keyword-field.json';
import type keywords from './locales/en/keywords.json';
import type kit from './locales/en/kit.json';
import type listing from './locales/en/listing.json';
import type listingDrafts from './locales/en/listing-drafts.json';
import type members from './locales/en/members.json';
import type methodology from './locales/en/methodology.json';
import type annotations from './locales/en/annotations.json';
import type admin from './locales/en/admin.json';
import type offline from './locales/en/offline.json';
import type overview from './locales/en/overview.json';
import type palette from './locales/en/palette.json';
import type periods from './locales/en/periods.json';
import type popularity from './locales/en/popularity.json';
import type billing from './locales/en/billing.json';
import type serp from './locales/en/serp.json';
import type reports from './locales/en/reports.json';
import type reviews from './locales/en/reviews.json';
import type scores from './locales/en/scores.json';
import type settings from './locales/en/settings.json';
import type timeline from './locales/en/timeline.json';
import type welcome from './locales/en/welcome.json';

/**
 * The texts by noun. English defines the keys, and the other languages are checked against them.
 */
interface Files {
  account: typeof account;
  'action-reasons': typeof actionReasons;
  'action-titles': typeof actionTitles;
  actions: typeof actions;
  alerts: typeof alerts;
  briefing: typeof briefing;
  capacity: typeof capacity;
  charts: typeof charts;
  competitors: typeof competitors;
  'competitor-lines': typeof competitorLines;
  conflict: typeof conflict;
  'country-scores': typeof countryScores;
  published: typeof published;
  'imports-exports': typeof importsExports;
  digest: typeof digest;
  suggestions: typeof suggestions;
  distribution: typeof distribution;
  events: typeof events & Record<EventTextKey, string>;
  frame: typeof frame;
  keyword: typeof keyword;
  'keyword-field': typeof keywordField;
  keywords: typeof keywords;
  kit: typeof kit;
  listing: typeof listing;
  'listing-drafts': typeof listingDrafts;
  members: typeof members;
  methodology: typeof methodology;
  annotations: typeof annotations;
  admin: typeof admin;
  offline: typeof offline;
  overview: typeof overview;
  palette: typeof palette;
  billing: typeof billing;
  periods: typeof periods;
  popularity: typeof popularity;
  serp: typeof serp;
  reports: typeof reports;
  reviews: typeof reviews;
  scores: typeof scores;
  settings: typeof settings;
  timeline: typeof timeline;
  welcome: typeof welcome;
}

export type Noun = keyof Files;

type KeyOf<File> = File extends unknown ? keyof File : never;

/** Flat keys, because a page uses texts of several nouns. */
export type Texts = Record<KeyOf<Files[Noun]>, string>;
