import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { formatCountry } from '#web/format.ts';
import type { FieldAnalysis } from '#web/queries/keyword-field.ts';
import styles from './keyword-field-page.module.css';
import { Words } from './words.tsx';

interface Props {
  appId: number;
  analysis: FieldAnalysis;
  onAdd: ((term: string) => void) | undefined;
  /** Removes an occurrence of a word from the text; 0 is the first. */
  onDrop: ((term: string, occurrence: number) => void) | undefined;
  isStale: boolean;
}

/**
 * The words of the field with their scores and waste, suggestions that fit, and the coverage of the
 * tracked keywords.
 */
export function Analysis({ appId, analysis, onAdd, onDrop, isStale }: Props) {
  const { t } = useTranslation();
  const { combinations, suggestions, wastedCharacters, comparedWith } = analysis;
  const open = combinations.tracked.filter(({ covered }) => !covered);
  return (
    <div className={styles.pair} data-stale={isStale || undefined}>
      <Card
        title={t('keywordField.words')}
        lead={
          comparedWith
            ? t('keywordField.wordsLead', {
                country: formatCountry(comparedWith.country),
                count: wastedCharacters,
              })
            : t('keywordField.listingNotRead')
        }
      >
        <Words
          appId={appId}
          market={{ country: analysis.country, device: analysis.device }}
          tokens={analysis.tokens}
          onDrop={onDrop}
        />
      </Card>
      <div className={styles.stack}>
        <Card
          title={t('keywordField.fits')}
          lead={t('keywordField.fitsLead', { count: analysis.free })}
        >
          {suggestions.length === 0 ? (
            <p className="muted">{t('keywordField.nothingFits')}</p>
          ) : (
            <ul className={styles.chips}>
              {suggestions.map(({ term, characters, source }) => (
                <li key={term}>
                  <Button
                    className="touch"
                    size="compact-sm"
                    variant="default"
                    leftSection={<Plus size={12} aria-hidden />}
                    disabled={!onAdd}
                    title={t(`keywordField.source.${source}`)}
                    onClick={() => onAdd?.(term)}
                  >
                    {term} <span className={styles.size}>{characters}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card
          title={t('keywordField.coverage', {
            covered: combinations.covered,
            total: combinations.total,
          })}
          lead={t('keywordField.coverageLead', {
            words: combinations.words,
            pairs: combinations.pairs,
          })}
        >
          {open.length === 0 ? (
            <p className="muted">{t('keywordField.allCovered')}</p>
          ) : (
            <ul className={styles.open}>
              {open.map(({ keywordId, phrase, missing }) => (
                <li key={keywordId}>
                  <Link to="/keywords/$keywordId" params={{ keywordId: String(keywordId) }}>
                    <bdi>{phrase}</bdi>
                  </Link>{' '}
                  <span className="muted">
                    {t('keywordField.missing', { words: missing.join(', ') })}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </div>
  );
}
