import { Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Filters } from '#web/components/filters.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { adminWorkspacesQuery } from '#web/queries/admin.ts';
import { useSearchText } from '#web/search-text.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './admin-page.module.css';
import { WorkspacesTable } from './workspaces-table.tsx';

const states = ['trial', 'live', 'lapsed', 'suspended'] as const;
const debounceMs = 300;

/** All workspaces with search by name or owner. */
export function WorkspacesCard() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchValue('search');
  const [asked, setState] = useSearchValue('state');
  const q = search?.trim();
  const state = states.find((name) => name === asked);
  const query = useInfiniteQuery(
    adminWorkspacesQuery({ ...(q && { q }), ...(state && { state }) }),
  );
  const { text, type } = useSearchText(search ?? '', (next) => setSearch(next || null), debounceMs);
  const total = query.data?.pages[0]?.total;
  return (
    <Card
      title={t('admin.tab.workspaces')}
      lead={total !== undefined && t('admin.count', { count: total })}
    >
      <div className={styles.filters}>
        <Filters label={t('admin.filters')}>
          <TextInput
            label={t('admin.search')}
            placeholder={t('admin.searchHint')}
            maxLength={200}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            data-search
          />
          <Select
            label={t('admin.state')}
            placeholder={t('admin.anyState')}
            data={states.map((name) => ({ value: name, label: t(`admin.state.${name}`) }))}
            value={state ?? null}
            onChange={setState}
            clearable
            clearButtonProps={{ 'aria-label': t('admin.anyState') }}
          />
        </Filters>
      </div>
      <LoadedPages
        query={query}
        height={360}
        more="middle"
        empty={
          <EmptyState icon={Building2} title={t('admin.noneTitle')} text={t('admin.noneText')} />
        }
      >
        {(workspaces) => <WorkspacesTable workspaces={workspaces} />}
      </LoadedPages>
    </Card>
  );
}
