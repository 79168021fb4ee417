import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CalendarSearch } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { timelineKinds } from '#contract/choices.ts';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { AddAnnotationButton } from '#web/annotations/add-annotation.tsx';
import { AnnotationForm } from '#web/annotations/annotation-form.tsx';
import { useAnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { PageHead } from '#web/components/page-head.tsx';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import { ShowMore } from '#web/components/show-more.tsx';
import { formatCount, formatSpan } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { timelinePagesQuery } from '#web/queries/timeline.ts';
import { DayGroup } from './day-group.tsx';
import { scopes, useTimelineFilters } from './timeline-filters.ts';
import styles from './timeline-page.module.css';
import { TimelineSkeleton } from './timeline-skeleton.tsx';

export function TimelinePage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const { filter, picked, toggle, scope, setScope, showAll } = useTimelineFilters();
  const query = useInfiniteQuery(timelinePagesQuery(appId, filter));
  const notes = useAnnotationActions(appId);
  const [adding, setAdding] = useState(false);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages[0]?.total ?? null;
  const days = [...Map.groupBy(items, ({ date }) => date)];
  const range = formatSpan(filter);
  return (
    <>
      <PageHead
        title={t('timeline.title')}
        tab={app ? `${t('timeline.title')} · ${app.displayName ?? app.name}` : t('timeline.title')}
        lead={
          <span role="status" className="num">
            {total === null
              ? range
              : t('timeline.count', { count: total, shown: formatCount(total), range })}
          </span>
        }
      >
        <AddAnnotationButton opened={adding} onOpen={() => setAdding(true)} />
      </PageHead>
      <div className={styles.filters} role="search" aria-label={t('timeline.filters')}>
        <div className={styles.chips} role="group" aria-label={t('timeline.kinds')}>
          <ToggleChip pressed={picked.length === 0} onPress={showAll}>
            {t('timeline.allKinds')}
          </ToggleChip>
          {timelineKinds.map((kind) => (
            <ToggleChip key={kind} pressed={picked.includes(kind)} onPress={() => toggle(kind)}>
              {t(`timeline.kinds.${kind}`)}
            </ToggleChip>
          ))}
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('timeline.scope')}
          value={scope}
          onChange={(value) => setScope(value)}
          data={scopes.map((value) => ({ value, label: t(`timeline.scope.${value}`) }))}
        />
      </div>
      {adding && (
        <div className={styles.adding}>
          <AnnotationForm
            key={appId}
            name={`note-of-app.${appId}`}
            initial={{ date: filter.to, text: '', keywordIds: [] }}
            saving={notes.add.isPending}
            onSave={(draft) => notes.add.mutateAsync(draft)}
            onSaved={() => setAdding(false)}
            onCancel={() => setAdding(false)}
          />
        </div>
      )}
      <Loaded query={query} waiting={<TimelineSkeleton />}>
        {() =>
          items.length === 0 ? (
            <Card title={t('timeline.nothing')}>
              <EmptyState
                icon={CalendarSearch}
                title={t('timeline.emptyTitle')}
                text={t(
                  picked.length > 0 || scope !== 'all'
                    ? 'timeline.emptyFiltered'
                    : 'timeline.emptyText',
                )}
              >
                {picked.length > 0 && <Button onClick={showAll}>{t('timeline.showAll')}</Button>}
              </EmptyState>
            </Card>
          ) : (
            <div className={styles.days}>
              {items.some(({ kind }) => kind === 'rank') && (
                <p className={styles.rules}>{t('timeline.byRules')}</p>
              )}
              {days.map(([day, found]) => (
                <DayGroup key={day} day={day} items={found} appId={appId} notes={notes} />
              ))}
              <ShowMore query={query} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
