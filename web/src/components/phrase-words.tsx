import type { TFunction } from 'i18next';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { listingTexts, profileOf, type ListingText } from '#stores/profiles.ts';
import type { Keyword, Store } from '../api.ts';
import { formatCountry, formatList } from '../format.ts';
import styles from './phrase-words.module.css';

export type Words = (NonNullable<Keyword['words']>[number] & {
  /** Where the text contains the word, for a phrase of several countries. */
  countries?: readonly string[];
})[];

/**
 * The words of a phrase, each underlined by the text of the app's own listing that contains it. The
 * lines differ by colour and form. A plain function, because a table draws thousands of phrases.
 */
export function drawWords(phrase: string, words: Words | null | undefined, t: TFunction) {
  if (!words) return phrase;
  return words.map(({ word, field, countries }, index) => (
    // The same word can occur twice, and the order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && ' '}
      {field === null ? (
        word
      ) : (
        <span className={styles.word} data-field={field} title={nameText({ field, countries }, t)}>
          {word}
        </span>
      )}
    </Fragment>
  ));
}

function nameText(
  { field, countries }: { field: ListingText; countries: readonly string[] | undefined },
  t: TFunction,
): string {
  const name = t(`words.${field}`);
  return countries ? `${name} (${formatList(countries.map(formatCountry))})` : name;
}

/** For screen readers: `habit: Title, tracker: Subtitle`. */
function describeWords(words: Words | null | undefined, t: TFunction): string {
  return (words ?? [])
    .flatMap(({ word, field, countries }) =>
      field === null ? [] : [`${word}: ${nameText({ field, countries }, t)}`],
    )
    .join(', ');
}

/** For screen readers, beside a link that is named after the phrase alone. */
export const drawDescription = (words: Words | null | undefined, t: TFunction) =>
  words && <span className="sr-only"> {describeWords(words, t)}</span>;

/** The phrase with its words marked, and the same for screen readers. */
export function PhraseWords({
  phrase,
  words,
}: {
  phrase: string;
  words: Words | null | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{drawWords(phrase, words, t)}</bdi>
      {drawDescription(words, t)}
    </>
  );
}

/** Explains the lines, in the texts by which the store, or one of several, searches. */
export function WordLegend({ store }: { store: Store | readonly Store[] | undefined }) {
  const { t } = useTranslation();
  const stores = store === undefined ? [] : [store].flat();
  if (stores.length === 0) return null;
  const isSearched = (name: ListingText) =>
    stores.some((one) => profileOf(one).texts[name]?.isSearched === true);
  return (
    <p className={styles.legend}>
      <span className={styles.title}>{t('words.legend')}</span>{' '}
      {listingTexts.filter(isSearched).map((name) => (
        <span key={name} className={styles.word} data-field={name}>
          {t(`words.${name}`)}
        </span>
      ))}
    </p>
  );
}
