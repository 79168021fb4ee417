import type { FieldText, Listing, ListingField, LocaleTexts } from '#listing-files/listing.ts';
import type { LintConfig } from './lint-config.ts';
import type { Level, RuleName } from './lint-rules.ts';

export interface Finding {
  rule: RuleName;
  level: Level;
  /** The path as it is reported, with `/`. */
  file: string;
  line: number;
  locale: string | null;
  field: ListingField | null;
  /** The problem and its remedy, in one or two sentences. */
  message: string;
  /** The word or the characters that the message names, for messages in other languages. */
  found?: string;
}

/** A finding before its level and file are known. */
export interface Problem {
  rule: RuleName;
  message: string;
  found?: string;
  /** The line within the text, from 0. */
  lineInText?: number;
}

export interface TextToCheck {
  listing: Listing;
  /** The name of the locale in the folder. */
  locale: string;
  texts: LocaleTexts;
  field: ListingField;
  text: FieldText;
  config: LintConfig;
}

/** A check of one text. An inherited text is checked once, where it is from. */
export type TextCheck = (subject: TextToCheck) => Problem[];

export const fieldNames: Readonly<Record<ListingField, string>> = {
  title: 'The title',
  subtitle: 'The subtitle',
  summary: 'The short description',
  keywordField: 'The keyword field',
  promotionalText: 'The promotional text',
  description: 'The description',
  whatsNew: 'What’s new',
  supportUrl: 'The support address',
  marketingUrl: 'The marketing address',
  privacyUrl: 'The privacy address',
  privacyChoicesUrl: 'The address of privacy choices',
  privacyText: 'The privacy text',
  video: 'The video address',
};
