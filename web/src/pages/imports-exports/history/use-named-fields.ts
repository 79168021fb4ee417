import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { historyFields } from '#contract/choices.ts';
import type { Reading } from '#web/queries/history-imports.ts';
import { renamePaths } from '../rename-paths.ts';

/** The labels of the form that chooses how a file is read. */
export const fieldLabels = {
  layout: 'history.layout',
  dateFormat: 'csv.dates',
  date: 'history.dateOfAll',
  country: 'csv.countryOfAll',
  device: 'csv.deviceOfAll',
  depth: 'csv.depthOfAll',
  notFound: 'history.notFound',
  deeper: 'history.deeper',
  encoding: 'history.encoding',
  delimiter: 'history.delimiter',
  decimal: 'history.decimal',
} as const satisfies Record<Exclude<keyof Reading, 'preset' | 'columns'>, string>;

function labelOf(path: string, t: TFunction): string {
  const [, member, column] = path.split('.');
  const field = historyFields.find((name) => member === 'columns' && name === column);
  if (field) return t(`history.field.${field}`);
  const label = Object.entries(fieldLabels).find(([name]) => name === member)?.[1];
  return label ? t(label) : path;
}

/** An error of the API with the labels of the form in place of the members of the request. */
export const nameFields = (error: unknown, t: TFunction): unknown =>
  renamePaths(error, (text) => text.replace(/^reading[.\w]*/, (path) => labelOf(path, t)));

/** One object for each error, because the countdown of a limit begins again with another one. */
export function useNamedFields(error: unknown): unknown {
  const { t } = useTranslation();
  return useMemo(() => nameFields(error, t), [error, t]);
}
