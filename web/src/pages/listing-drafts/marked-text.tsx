import { Popover, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CoveredPhrase } from '#web/queries/listing-drafts.ts';
import styles from './listing-drafts-page.module.css';
import type { Segment } from './mark-words.ts';

const shownPhrases = 5;

function levelOf({ position }: CoveredPhrase): 'top' | 'ranked' | 'unranked' {
  if (position === null) return 'unranked';
  return position <= 10 ? 'top' : 'ranked';
}

function usePhraseText() {
  const { t } = useTranslation();
  return ({ phrase, position, traffic, opportunity }: CoveredPhrase) =>
    t('listingDrafts.phraseFacts', {
      phrase,
      position: position ?? '–',
      traffic: traffic ?? '–',
      opportunity: opportunity ?? '–',
    });
}

/** The text with the words of tracked phrases in colours, and a button with their list. */
export function MarkedText({ segments, label }: { segments: readonly Segment[]; label: string }) {
  const { t } = useTranslation();
  const phraseText = usePhraseText();
  const marked = segments.filter(({ phrases }) => phrases.length > 0);
  if (marked.length === 0) return null;
  const words = t('listingDrafts.words', { count: marked.length });
  return (
    <div className={styles.marked}>
      <span dir="auto" aria-hidden>
        {segments.map(({ text, phrases }, index) =>
          phrases.length === 0 ? (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{text}</span>
          ) : (
            <Tooltip
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              multiline
              label={phrases.slice(0, shownPhrases).map((phrase) => (
                <div key={phrase.keywordId}>{phraseText(phrase)}</div>
              ))}
            >
              <mark data-level={levelOf(phrases[0]!)}>{text}</mark>
            </Tooltip>
          ),
        )}
      </span>
      <Popover position="bottom-start" trapFocus returnFocus width={320}>
        <Popover.Target>
          <button type="button" className={styles.count} aria-label={`${words}: ${label}`}>
            {words}
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <ul className={styles.list} tabIndex={0} aria-label={label}>
            {marked.map(({ text, phrases }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <strong dir="auto">{text}</strong>
                {phrases.slice(0, shownPhrases).map((phrase) => (
                  <div key={phrase.keywordId}>{phraseText(phrase)}</div>
                ))}
              </li>
            ))}
          </ul>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
