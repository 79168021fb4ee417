import { profileOf } from '#domain/base/ports.ts';
import type { Evaluation, StoreEvaluation } from './evaluate-estimates.ts';

type Measured = Pick<
  StoreEvaluation,
  'n' | 'spearman' | 'meanAbsoluteError' | 'meanError' | 'unlisted' | 'auc'
>;

const widths = [26, 7, 24, 8, 8, 10, 6];

/** The file that an evaluation compares with. */
export interface LabelFile {
  /** `labels`: CSV with the popularity of phrases. `month`: the monthly file of a store. */
  form: 'labels' | 'month';
  /** Such as `2026-10`. */
  months: string[];
  rowsRead: number;
  rowsRefused: number;
}

/** An evaluation as text for a terminal. */
export function formatEvaluation({ stores, seed, file }: Evaluation & { file: LabelFile }): string {
  const read = formatFile(file);
  if (stores.length === 0)
    return file.form === 'month'
      ? `${read}\nThis instance has no keyword in the countries of the file.`
      : 'The file has no phrases.';
  return [
    ...(file.form === 'month' ? [read, ''] : []),
    ...stores.flatMap(formatStore),
    `Intervals: 95 %, bootstrap with seed ${seed}. Error: estimate less popularity.`,
  ].join('\n');
}

function formatFile({ months, rowsRead, rowsRefused }: LabelFile): string {
  return (
    `Month ${months.join(', ') || '–'}: ${rowsRead} rows, ${rowsRefused} of them refused. The ` +
    'phrases of this instance that the file does not list are the unlisted ones.'
  );
}

function formatStore(store: StoreEvaluation): string[] {
  const header = ['', 'n', 'Spearman', '|error|', 'error', 'unlisted', 'AUC'];
  return [
    `${profileOf(store.store).name}, ${store.formula}; ${store.withoutEstimate} phrases without ` +
      'stored evidence',
    formatRow(header),
    formatMeasures('all', store),
    ...store.genres.map((group) => formatMeasures(group.name, group)),
    ...store.lengths.map((group) => formatMeasures(`words: ${group.name}`, group)),
    ...(store.worst.length > 0 ? ['', 'Worst estimates'] : []),
    ...store.worst.map(
      ({ phrase, country, popularity, estimate, confidence, evidence }) =>
        `  ${country} ${phrase}: ${estimate} instead of ${popularity}, confidence ${confidence}; ` +
        evidence.map(({ signal, value, points }) => `${signal} ${value} → ${points}`).join(', '),
    ),
    '',
  ];
}

function formatMeasures(name: string, measured: Measured): string {
  const { n, spearman, meanAbsoluteError, meanError, unlisted, auc } = measured;
  return formatRow([
    name,
    String(n),
    spearman === null
      ? '–'
      : `${spearman.value.toFixed(3)} (${spearman.low.toFixed(3)}–${spearman.high.toFixed(3)})`,
    meanAbsoluteError?.toFixed(1) ?? '–',
    meanError?.toFixed(1) ?? '–',
    String(unlisted),
    auc?.toFixed(3) ?? '–',
  ]);
}

const formatRow = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!)))
    .join(' ')
    .trimEnd();
