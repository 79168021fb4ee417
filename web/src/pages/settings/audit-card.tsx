import { Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Filters } from '#web/components/filters.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { auditQuery } from '#web/queries/workspace.ts';
import { useSearchText } from '#web/search-text.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { spanOf } from '#web/scope.ts';
import { auditActions } from './audit-actions.ts';
import { AuditTable } from './audit-table.tsx';

const periods = ['30', '7', '90', '365'] as const;
const debounceMs = 300;

export function AuditCard() {
  const { t } = useTranslation();
  const [period, setPeriod] = useSearchChoice('period', periods);
  const [action, setAction] = useSearchValue('action');
  const [actor, setActor] = useSearchValue('actor');
  const email = actor?.trim().toLowerCase();
  const known = auditActions.find((name) => name === action);
  const query = useInfiniteQuery(
    auditQuery({
      ...spanOf(Number(period)),
      ...(known && { action: known }),
      ...(email && { actor: email }),
    }),
  );
  const { text, type } = useSearchText(actor ?? '', (next) => setActor(next || null), debounceMs);
  return (
    <Card title={t('settings.tab.audit')} lead={t('audit.lead')} foldsLead>
      <Filters label={t('audit.filters')}>
        <TextInput
          label={t('audit.actor')}
          placeholder={t('audit.anybody')}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          data-search
        />
        <Select
          label={t('audit.action')}
          placeholder={t('audit.anything')}
          data={auditActions.map((name) => ({ value: name, label: t(`audit.${name}`) }))}
          value={known ?? null}
          onChange={setAction}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('audit.anything') }}
        />
        <Select
          label={t('audit.period')}
          data={['7', '30', '90', '365'].map((value) => ({
            value,
            label: t('scope.lastDays', { count: Number(value) }),
          }))}
          value={period}
          onChange={(value) => setPeriod(periods.find((candidate) => candidate === value) ?? '30')}
          allowDeselect={false}
        />
      </Filters>
      <LoadedPages
        query={query}
        height={420}
        more="middle"
        empty={
          <EmptyState icon={ScrollText} title={t('audit.emptyTitle')} text={t('audit.emptyText')} />
        }
      >
        {(entries) => <AuditTable entries={entries} />}
      </LoadedPages>
    </Card>
  );
}
