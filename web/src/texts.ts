import type account from './locales/en/account.json';
import type actionReasons from './locales/en/action-reasons.json';
import type actionTitles from './locales/en/action-titles.json';
import type actions from './locales/en/actions.json';
import type alerts from './locales/en/alerts.json';
import type capacity from './locales/en/capacity.json';
import type categoryRanks from './locales/en/category-ranks.json';
import type competitors from './locales/en/competitors.json';
import type data from './locales/en/data.json';
import type digest from './locales/en/digest.json';
import type discover from './locales/en/discover.json';
import type distribution from './locales/en/distribution.json';
import type events from './locales/en/events.json';
import type frame from './locales/en/frame.json';
import type keyword from './locales/en/keyword.json';
import type keywordField from './locales/en/keyword-field.json';
import type keywords from './locales/en/keywords.json';
import type kit from './locales/en/kit.json';
import type members from './locales/en/members.json';
import type methodology from './locales/en/methodology.json';
import type notes from './locales/en/notes.json';
import type operator from './locales/en/operator.json';
import type overview from './locales/en/overview.json';
import type palette from './locales/en/palette.json';
import type plan from './locales/en/plan.json';
import type results from './locales/en/results.json';
import type reviews from './locales/en/reviews.json';
import type scores from './locales/en/scores.json';
import type settings from './locales/en/settings.json';
import type timeline from './locales/en/timeline.json';
import type welcome from './locales/en/welcome.json';

/** By noun: what each file of a language says. English has the keys, the others are held to them. */
interface Files {
  account: typeof account;
  'action-reasons': typeof actionReasons;
  'action-titles': typeof actionTitles;
  actions: typeof actions;
  alerts: typeof alerts;
  capacity: typeof capacity;
  'category-ranks': typeof categoryRanks;
  competitors: typeof competitors;
  data: typeof data;
  digest: typeof digest;
  discover: typeof discover;
  distribution: typeof distribution;
  events: typeof events;
  frame: typeof frame;
  keyword: typeof keyword;
  'keyword-field': typeof keywordField;
  keywords: typeof keywords;
  kit: typeof kit;
  members: typeof members;
  methodology: typeof methodology;
  notes: typeof notes;
  operator: typeof operator;
  overview: typeof overview;
  palette: typeof palette;
  plan: typeof plan;
  results: typeof results;
  reviews: typeof reviews;
  scores: typeof scores;
  settings: typeof settings;
  timeline: typeof timeline;
  welcome: typeof welcome;
}

export type Noun = keyof Files;

type KeyOf<File> = File extends unknown ? keyof File : never;

/** Flat keys: a page says the texts of several nouns alike. */
export type Texts = Record<KeyOf<Files[Noun]>, string>;
