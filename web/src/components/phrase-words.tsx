import type { TFunction } from 'i18next';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { listingTexts, profileOf, type ListingText } from '#stores/profiles.ts';
import type { Keyword, Store } from '../api.ts';
import styles from './phrase-words.module.css';

type Words = NonNullable<Keyword['words']>;

/**
 * The words of a phrase, each underlined by the text of the app's own listing that contains it. The
 * lines differ by colour and form. A plain function, because a table draws thousands of phrases.
 */
export function drawWords(phrase: string, words: Words | null | undefined, t: TFunction) {
  if (!words) return phrase;
  return words.map(({ word, field }, index) => (
    // The same word can occur twice, and the order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && ' '}
      {field === null ? (
        word
      ) : (
        <span className={styles.word} data-field={field} title={t(`words.${field}`)}>
          {word}
        </span>
      )}
    </Fragment>
  ));
}

/** For screen readers: `habit: Title, tracker: Subtitle`. */
export function describeWords(words: Words | null | undefined, t: TFunction): string {
  return (words ?? [])
    .flatMap(({ word, field }) => (field === null ? [] : [`${word}: ${t(`words.${field}`)}`]))
    .join(', ');
}

/** The phrase with its words marked, and the same for screen readers. */
export function PhraseWords({ phrase, words }: { phrase: string; words: Words | null }) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{drawWords(phrase, words, t)}</bdi>
      <span className="sr-only"> {describeWords(words, t)}</span>
    </>
  );
}

/** Explains the lines, in the texts by which the store searches. */
export function WordLegend({ store }: { store: Store | undefined }) {
  const { t } = useTranslation();
  if (store === undefined) return null;
  const isSearched = (name: ListingText) => profileOf(store).texts[name]?.isSearched === true;
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
