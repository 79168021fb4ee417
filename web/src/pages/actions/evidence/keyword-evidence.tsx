import { useTranslation } from 'react-i18next';
import { PositionText } from '#web/components/position-text.tsx';
import { formatCountry, formatDay } from '#web/format.ts';
import type { Fact } from '#web/components/facts.tsx';
import { Checks, Chips, FactGrid, FactTable, Known } from './blocks.tsx';
import styles from './evidence.module.css';
import {
  readNumber,
  readPair,
  readPairs,
  readRows,
  readText,
  readTexts,
  type Facts,
} from './parse-facts.ts';

interface Props {
  facts: Facts;
}

function useScores(facts: Facts): Record<'traffic' | 'difficulty' | 'opportunity', Fact> {
  const { t } = useTranslation();
  const score = (name: 'traffic' | 'difficulty' | 'opportunity'): Fact => [
    t(`actions.fact.${name}`),
    <Known key={name} value={readNumber(facts, name)} of={100} />,
  ];
  return {
    traffic: score('traffic'),
    difficulty: score('difficulty'),
    opportunity: score('opportunity'),
  };
}

export function RankDropEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic } = useScores(facts);
  const lost = readNumber(facts, 'positionsLost');
  const latest = readPair(facts, 'latest');
  return (
    <>
      <FactGrid
        facts={[
          [
            t('actions.fact.usual'),
            <Known key="usual" value={readNumber(facts, 'usualPosition')} />,
          ],
          [t('actions.fact.now'), <PositionText key="now" cell={latest} />],
          [
            latest?.position === null ? t('actions.fact.lostAtLeast') : t('actions.fact.lost'),
            <span key="lost" className={styles.loss}>
              ▼ <Known value={lost} />
            </span>,
          ],
          traffic,
        ]}
      />
      <Checks pairs={readPairs(facts, 'recent')} />
    </>
  );
}

export function StrikingDistanceEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic } = useScores(facts);
  const checks = readPairs(facts, 'checks');
  const [top, now] = [readNumber(facts, 'top'), checks.at(-1)?.position ?? null];
  return (
    <>
      <FactGrid
        facts={[
          [t('actions.fact.now'), <PositionText key="now" cell={checks.at(-1)} />],
          [
            t('actions.fact.placesTo', { top }),
            <Known key="to" value={top === null || now === null ? null : now - top} />,
          ],
          traffic,
        ]}
      />
      <Checks pairs={checks} />
    </>
  );
}

export function MissingKeywordEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic, difficulty, opportunity } = useScores(facts);
  const texts = listTexts(facts);
  return (
    <>
      <FactGrid
        facts={[
          opportunity,
          traffic,
          difficulty,
          [t('actions.fact.now'), <PositionText key="now" cell={readPair(facts, 'latest')} />],
        ]}
      />
      <Chips label={t('actions.missingWords')} words={readTexts(facts, 'missing')} tone="missing" />
      {texts.map(
        ({ name, of, text }) =>
          text !== null && (
            <p key={`${name} ${of}`} className={styles.quote}>
              <span className="muted">
                {of === null
                  ? t(`actions.text.${name}`)
                  : t('actions.textOf', { text: t(`actions.text.${name}`), of })}
              </span>
              <q>{text}</q>
            </p>
          ),
      )}
    </>
  );
}

interface QuotedText {
  name: 'title' | 'subtitle' | 'summary' | 'keywordField';
  /** The country or the language of the text, if that is known. */
  of: string | null;
  text: string | null;
}

/** The texts that were searched. Those of another country or language say so. */
function listTexts(facts: Facts): QuotedText[] {
  const country = readText(facts, 'textsOf');
  const of = country && formatCountry(country);
  const locales = readTexts(facts, 'keywordFieldLocales');
  return [
    ...(['title', 'subtitle', 'summary'] as const).map((name) => ({
      name,
      of,
      text: readText(facts, name),
    })),
    ...readTexts(facts, 'keywordFields').map((text, index) => ({
      name: 'keywordField' as const,
      of: locales[index] ?? null,
      text,
    })),
  ];
}

export function KeywordGapEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic } = useScores(facts);
  const competitors = readRows(facts, 'competitors');
  const more = (readNumber(facts, 'competitorsInAll') ?? competitors.length) - competitors.length;
  return (
    <>
      <FactGrid
        facts={[
          [t('actions.fact.own'), <PositionText key="own" cell={readPair(facts, 'own')} />],
          traffic,
        ]}
      />
      <FactTable
        label={t('actions.competitors')}
        head={[t('actions.fact.competitor'), t('actions.fact.position'), t('actions.fact.day')]}
        rows={competitors.map((competitor, index) => ({
          key: String(index),
          cells: [
            readText(competitor, 'name'),
            <strong key="at">{readNumber(competitor, 'position')}</strong>,
            formatDay(readText(competitor, 'date') ?? ''),
          ],
        }))}
      />
      {more > 0 && <p className="muted">{t('actions.moreCompetitors', { count: more })}</p>}
    </>
  );
}

export function HopelessKeywordEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic, difficulty } = useScores(facts);
  const [from, to] = [readText(facts, 'from'), readText(facts, 'to')];
  return (
    <>
      <FactGrid
        facts={[
          difficulty,
          traffic,
          [t('actions.fact.checks'), <Known key="checks" value={readNumber(facts, 'checks')} />],
          [
            t('actions.fact.notWithin'),
            <Known key="depth" value={readNumber(facts, 'leastDepth')} />,
          ],
        ]}
      />
      {from && to && (
        <p className="muted">
          {t('actions.between', { from: formatDay(from), to: formatDay(to) })}
        </p>
      )}
    </>
  );
}

export function CompetitorEnteredEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const { traffic } = useScores(facts);
  const enteredOn = readText(facts, 'enteredOn');
  return (
    <FactGrid
      facts={[
        [t('actions.fact.competitor'), readText(facts, 'competitor')],
        [
          t('actions.fact.position'),
          <Known key="position" value={readNumber(facts, 'position')} />,
        ],
        [t('actions.fact.own'), <PositionText key="own" cell={readPair(facts, 'own')} />],
        [t('actions.fact.enteredOn'), enteredOn && formatDay(enteredOn)],
        traffic,
      ]}
    />
  );
}
