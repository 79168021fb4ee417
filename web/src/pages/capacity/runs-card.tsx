import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { runsQuery } from '#web/queries/runs.ts';
import { DayStrip } from '../runs/day-strip.tsx';
import { RunsTable } from '../runs/runs-table.tsx';

const shown = 7;

/** The latest days, with a link to all runs. */
export function RunsCard() {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(30));
  return (
    <Card
      title={t('runs.title')}
      lead={t('runs.lead')}
      action={
        <Button
          size="xs"
          variant="default"
          className="touch"
          rightSection={<ArrowRight size={14} aria-hidden />}
          renderRoot={(props: Record<string, unknown>) => <Link to="/runs" {...props} />}
        >
          {t('runs.all')}
        </Button>
      }
    >
      <Loaded query={query} height={[309, 297]}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={CalendarClock}
              title={t('runs.emptyTitle')}
              text={t('runs.emptyText')}
            />
          ) : (
            <>
              <DayStrip runs={items} />
              <RunsTable runs={items.slice(0, shown)} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
