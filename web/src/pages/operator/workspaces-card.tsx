import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filters } from '../../components/filters.tsx';
import { LoadedPages } from '../../components/loaded-pages.tsx';
import { operatedWorkspacesQuery } from '../../queries/operator.ts';
import { useSearchValue } from '../../search-value.ts';
import styles from './operator-page.module.css';
import { WorkspacesTable } from './workspaces-table.tsx';

const states = ['trial', 'live', 'lapsed', 'suspended'] as const;
const typingPauseMs = 300;

/** Every workspace, to be found by name or owner. */
export function WorkspacesCard() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchValue('search');
  const [asked, setState] = useSearchValue('state');
  const state = states.find((name) => name === asked);
  const query = useInfiniteQuery(
    operatedWorkspacesQuery({ ...(search && { search }), ...(state && { state }) }),
  );
  const askSearch = useDebouncedCallback(
    (value: string) => setSearch(value.trim() || null),
    typingPauseMs,
  );
  const total = query.data?.pages[0]?.total;
  return (
    <Card
      title={t('operator.tab.workspaces')}
      lead={total !== undefined && t('operator.count', { count: total })}
    >
      <div className={styles.filters}>
        <Filters label={t('operator.filters')}>
          <TextInput
            label={t('operator.search')}
            placeholder={t('operator.searchHint')}
            maxLength={200}
            defaultValue={search ?? ''}
            onChange={(event) => askSearch(event.currentTarget.value)}
            data-search
          />
          <Select
            label={t('operator.state')}
            placeholder={t('operator.anyState')}
            data={states.map((name) => ({ value: name, label: t(`operator.state.${name}`) }))}
            value={state ?? null}
            onChange={setState}
            clearable
            clearButtonProps={{ 'aria-label': t('operator.anyState') }}
          />
        </Filters>
      </div>
      <LoadedPages
        query={query}
        height={360}
        more="middle"
        empty={
          <EmptyState
            icon={Building2}
            title={t('operator.noneTitle')}
            text={t('operator.noneText')}
          />
        }
      >
        {(workspaces) => <WorkspacesTable workspaces={workspaces} />}
      </LoadedPages>
    </Card>
  );
}
