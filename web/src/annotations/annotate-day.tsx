import type { ReactNode } from 'react';
import { withTexts } from '#web/i18n.ts';
import { lazyPart } from '#web/components/lazy-part.tsx';
import type { OpenDay } from '#web/components/chart/chart.tsx';
import type { Annotated } from './day-annotations.tsx';

const fetchAnnotations = withTexts(['annotations'], () => import('./day-annotations.tsx'));
const DayAnnotations = lazyPart(async () => (await fetchAnnotations()).DayAnnotations);

/** For the `openDay` of a chart: its days show, take and change the annotations of an app. */
export const annotateDay = (of: Annotated) =>
  function showAnnotations(day: OpenDay): ReactNode {
    return <DayAnnotations {...day} {...of} onFail={day.onClose} />;
  };
