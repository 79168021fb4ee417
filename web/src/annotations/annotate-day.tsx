import { lazy, Suspense, type ReactNode } from 'react';
import { withTexts } from '#web/i18n.ts';
import type { OpenDay } from '#web/components/chart/chart.tsx';
import type { Annotated } from './day-annotations.tsx';

const DayAnnotations = lazy(async () => ({
  default: (await withTexts(['annotations'], () => import('./day-annotations.tsx'))())
    .DayAnnotations,
}));

/** For the `openDay` of a chart: its days show, take and change the annotations of an app. */
export const annotateDay = (of: Annotated) =>
  function showAnnotations(day: OpenDay): ReactNode {
    return (
      <Suspense>
        <DayAnnotations {...day} {...of} />
      </Suspense>
    );
  };
