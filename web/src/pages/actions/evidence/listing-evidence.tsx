import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '#web/components/country-chip.tsx';
import { formatDay } from '#web/format.ts';
import { Chips, FactGrid, FactTable, Known, FactMeter } from './blocks.tsx';
import styles from './evidence.module.css';
import { readNumber, readRows, readText, readTexts, type Facts } from './parse-facts.ts';
import { formatCause } from './format-cause.ts';

interface Props {
  facts: Facts;
}

const fieldLimit = 100;

export function KeywordFieldEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const field = readText(facts, 'normalized') ?? '';
  const [wasted, unused] = [
    readNumber(facts, 'wastedCharacters') ?? 0,
    readNumber(facts, 'unusedCharacters') ?? 0,
  ];
  const used = fieldLimit - unused;
  return (
    <>
      <FactMeter
        label={t('actions.fieldUsed')}
        value={used}
        max={fieldLimit}
        note={t('actions.ofCharacters', { used, limit: fieldLimit })}
      />
      <FactGrid
        facts={[
          [t('actions.fact.wasted'), <Known key="wasted" value={wasted} />],
          [t('actions.fact.unused'), <Known key="unused" value={unused} />],
        ]}
      />
      <FactTable
        label={t('actions.wastedWords')}
        head={[t('actions.fact.word'), t('actions.fact.because')]}
        rows={readRows(facts, 'wastedWords').map((row, index) => ({
          key: String(index),
          cells: [readText(row, 'word'), formatCause(readText(row, 'because'), t)],
        }))}
      />
      <p className={styles.quote}>
        <span className="muted">{t('actions.text.keywordField')}</span>
        <q>{field}</q>
      </p>
    </>
  );
}

const unusedSpaceFields = ['title', 'subtitle', 'summary'] as const;

export function UnusedTitleEvidence({ facts }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {readRows(facts, 'unusedSpaces').map((space) => {
        const name = unusedSpaceFields.find((field) => field === space.field) ?? 'title';
        const [limit, unused] = [readNumber(space, 'limit') ?? 0, readNumber(space, 'unused') ?? 0];
        const text = readText(space, 'text');
        return (
          <div key={name} className={styles.stack}>
            <FactMeter
              label={t(`actions.text.${name}`)}
              value={limit - unused}
              max={limit}
              note={t('actions.ofCharacters', { used: limit - unused, limit })}
            />
            <p className={styles.quote}>
              {text === null ? (
                <span className="muted">{t('actions.textEmpty')}</span>
              ) : (
                <q>{text}</q>
              )}
            </p>
          </div>
        );
      })}
      <p className={styles.countries}>
        {readTexts(facts, 'countries').map((code) => (
          <CountryChip key={code} code={code} />
        ))}
      </p>
      <FactTable
        label={t('actions.fitting')}
        head={[t('actions.fitting'), t('actions.fact.opportunity'), t('actions.fact.traffic')]}
        rows={readRows(facts, 'fitting').map((row) => {
          const keywordId = String(readNumber(row, 'keywordId') ?? 0);
          const phrase = (
            <Link key="phrase" to="/keywords/$keywordId" params={{ keywordId }}>
              {readText(row, 'phrase')}
            </Link>
          );
          const scores = ['opportunity', 'traffic'].map((name) => (
            <Known key={name} value={readNumber(row, name)} />
          ));
          return { key: keywordId, cells: [phrase, ...scores] };
        })}
      />
    </>
  );
}

const fieldNames = [
  'name',
  'subtitle',
  'summary',
  'iconUrl',
  'screenshotUrls',
  'price',
  'category',
] as const;

/** Texts are shown as they are; addresses and lists are described. */
function ChangedValue({ value, field }: { value: unknown; field: string | null }) {
  const { t } = useTranslation();
  if (value === null || value === undefined || value === '')
    return <span className="muted">{t('actions.textEmpty')}</span>;
  if (field === 'iconUrl') return t('actions.picture');
  if (typeof value === 'string' || typeof value === 'number')
    return <span className={styles.change}>{value}</span>;
  return t('actions.pictures', { count: readNumber(value as Facts, 'items') ?? 0 });
}

export function CompetitorChangedEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const changes = readRows(facts, 'changes');
  const more = (readNumber(facts, 'changesInAll') ?? changes.length) - changes.length;
  const seen = readText(facts, 'detectedOn');
  return (
    <>
      <FactGrid
        facts={[
          [t('actions.fact.competitor'), readText(facts, 'competitor')],
          [t('actions.fact.seenOn'), seen && formatDay(seen)],
        ]}
      />
      <FactTable
        label={t('actions.changes')}
        head={[
          t('actions.fact.country'),
          t('actions.fact.field'),
          t('actions.fact.before'),
          t('actions.fact.after'),
        ]}
        rows={changes.map((change, index) => {
          const field = readText(change, 'field');
          const known = fieldNames.find((name) => name === field);
          return {
            key: String(index),
            cells: [
              <CountryChip key="country" code={readText(change, 'country') ?? ''} />,
              known ? t(`actions.field.${known}`) : field,
              <ChangedValue key="before" value={change.before} field={field} />,
              <ChangedValue key="after" value={change.after} field={field} />,
            ],
          };
        })}
      />
      {more > 0 && <p className="muted">{t('actions.moreChanges', { count: more })}</p>}
      <Chips label={t('actions.newWords')} words={readTexts(facts, 'wordsGained')} />
    </>
  );
}
