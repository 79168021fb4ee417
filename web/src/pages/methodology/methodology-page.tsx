import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { formatShare } from '#web/format.ts';
import { Bars } from './bars.tsx';
import { Evaluations } from './evaluations.tsx';
import { FormulaWeights } from './formula-weights.tsx';
import styles from './methodology-page.module.css';
import { KeptPeriods } from './kept-periods.tsx';
import { Part } from './part.tsx';
import { ProviderDistances } from './provider-distances.tsx';
import { useVisibilityFormula } from './use-visibility-formula.ts';

const parts = [
  'position',
  'providers',
  'gaps',
  'traffic',
  'difficulty',
  'opportunity',
  'visibility',
  'actions',
  'kept',
  'unknown',
] as const;
const positions = [1, 2, 3, 5, 10, 50];
const clickDecay = 0.8;

/** Explains every number. Other pages link to its parts. */
export function MethodologyPage() {
  const { t } = useTranslation();
  const visibilityId = useVisibilityFormula();
  const positionBars = (worth: (position: number) => number, notFound: number) => [
    ...positions.map((position) => ({
      label: t('methodology.position', { position: position }),
      share: worth(position),
    })),
    { label: t('methodology.notFound'), share: notFound },
  ];
  return (
    <div className={styles.page}>
      <PageHead title={t('methodology.title')} lead={t('methodology.lead')} />
      <nav aria-label={t('methodology.contents')} className={styles.contents}>
        <ul>
          {parts.map((part) => (
            <li key={part}>
              <a href={`#${part}`}>{t(`methodology.${part}.title`)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Part
        id="position"
        paragraphs={['methodology.position.1', 'methodology.position.2', 'methodology.position.3']}
      />
      <Part
        id="providers"
        paragraphs={[
          'methodology.providers.1',
          'methodology.providers.2',
          'methodology.providers.3',
          'methodology.providers.4',
        ]}
      >
        <ProviderDistances />
      </Part>
      <Part
        id="gaps"
        paragraphs={['methodology.gaps.1', 'methodology.gaps.2', 'methodology.gaps.3']}
      />
      <Part
        id="traffic"
        paragraphs={['methodology.traffic.1', 'methodology.traffic.2', 'methodology.traffic.3']}
      >
        <FormulaWeights score="traffic" />
      </Part>
      <Part
        id="difficulty"
        paragraphs={[
          'methodology.difficulty.1',
          'methodology.difficulty.2',
          'methodology.difficulty.3',
          'methodology.difficulty.4',
        ]}
      >
        <Evaluations />
        <FormulaWeights score="difficulty" />
      </Part>
      <Part
        id="opportunity"
        paragraphs={[
          'methodology.opportunity.1',
          'methodology.opportunity.2',
          'methodology.opportunity.3',
        ]}
      >
        <Bars
          label={t('methodology.headroom')}
          bars={positionBars((position) => 1 - 1 / position ** clickDecay, 1)}
          show={formatShare}
        />
        <FormulaWeights score="opportunity" />
      </Part>
      <Part
        id="visibility"
        paragraphs={[
          'methodology.visibility.1',
          'methodology.visibility.2',
          'methodology.visibility.3',
        ]}
      >
        <Bars
          label={t('methodology.curve')}
          bars={positionBars((position) => 1 / position, 0)}
          show={formatShare}
        />
        {visibilityId && <p className="muted">{t('methodology.version', { id: visibilityId })}</p>}
      </Part>
      <Part
        id="actions"
        paragraphs={['methodology.actions.1', 'methodology.actions.2', 'methodology.actions.3']}
      />
      <Part id="kept" paragraphs={['methodology.kept.1', 'methodology.kept.2']}>
        <KeptPeriods />
      </Part>
      <Part
        id="unknown"
        paragraphs={[
          'methodology.unknown.1',
          'methodology.unknown.2',
          'methodology.unknown.3',
          'methodology.unknown.4',
        ]}
      />
    </div>
  );
}
