import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Meter } from '#web/components/meter.tsx';
import { formatShare } from '#web/format.ts';
import { opportunityQuery, type Opportunity } from '#web/queries/scores.ts';
import styles from './opportunity-card.module.css';

/** The opportunity of the keyword as the product of four factors. */
export function OpportunityCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const query = useQuery(opportunityQuery(keyword.appId, keyword.id));
  return (
    <Card title={t('opportunity.title')} lead={t('opportunity.lead')}>
      <Loaded query={query} height={[350, 295]}>
        {(found) =>
          found ? <Parts found={found} /> : <p className="muted">{t('opportunity.none')}</p>
        }
      </Loaded>
    </Card>
  );
}

function Parts({ found: { opportunity, components } }: { found: Opportunity }) {
  const { t } = useTranslation();
  const { traffic, trafficBasis, difficulty, position, depth, headroom, relevance } = components;
  const parts = [
    {
      name: t('opportunity.traffic'),
      share: traffic / 100,
      why: t('opportunity.trafficWhy', { basis: t(`trafficBasis.${trafficBasis}`) }),
    },
    {
      name: t('opportunity.reach'),
      share: 1 - (difficulty / 100) ** 2,
      why: t('opportunity.reachWhy', { difficulty }),
    },
    {
      name: t('opportunity.headroom'),
      share: headroom / 100,
      why:
        position === null
          ? t('opportunity.headroomOut', { depth })
          : t('opportunity.headroomAt', { position }),
    },
    {
      name: t('opportunity.relevance'),
      share: relevance / 100,
      why: t('opportunity.relevanceWhy'),
    },
  ];
  return (
    <>
      <p className={styles.value}>
        {opportunity}
        <span className={styles.of}>{t('score.of100')}</span>
      </p>
      <ol className={styles.parts}>
        {parts.map(({ name, share, why }, index) => (
          <li key={name}>
            <span className={styles.name}>
              {index > 0 && (
                <span className="muted" aria-hidden>
                  ×{' '}
                </span>
              )}
              {name}
            </span>
            <span className={styles.share}>{formatShare(share)}</span>
            <span className={styles.meter}>
              <Meter share={share} heightPx={6} />
            </span>
            <span className={styles.why}>{why}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
