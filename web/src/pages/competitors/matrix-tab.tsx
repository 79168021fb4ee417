import { useQuery } from '@tanstack/react-query';
import { Swords } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { competitorsQuery } from '#web/queries/competitors.ts';
import { MatrixChoice } from './matrix-choice.tsx';

/** The positions of competitors for each keyword, as a heat map. */
export function MatrixTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const competitors = useQuery(competitorsQuery(appId));
  return (
    <Card title={t('competitors.tab.matrix')} lead={t('competitors.matrixLead')} foldsLead>
      <Loaded query={competitors} height={420}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={Swords}
              title={t('competitors.emptyTitle')}
              text={t('competitors.emptyText')}
            />
          ) : (
            <MatrixChoice appId={appId} competitors={items} />
          )
        }
      </Loaded>
    </Card>
  );
}
