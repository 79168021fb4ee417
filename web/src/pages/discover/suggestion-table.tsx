import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import type { Evidence, Suggestion } from '../../queries/suggestions.ts';
import styles from './discover-page.module.css';
import { useTellEvidence } from './tell-evidence.ts';

interface Props {
  items: readonly Suggestion[];
  picked: ReadonlySet<string>;
  onToggle: (phrase: string) => void;
  fileName: string;
}

/** On phones the reason stands under its phrase: beside it there is no room for a sentence. */
export function SuggestionTable({ items, picked, onToggle, fileName }: Props) {
  const { t } = useTranslation();
  const tell = useTellEvidence();
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const columns: DataColumn<Suggestion>[] = [
    {
      id: 'pick',
      head: t('discover.pick'),
      cell: ({ phrase, alreadyTracked }) =>
        alreadyTracked ? (
          <span className={styles.tracked}>{t('discover.tracked')}</span>
        ) : (
          <Checkbox checked={picked.has(phrase)} aria-label={t('discover.pickOf', { phrase })} onChange={() => onToggle(phrase)} />
        ),
    },
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ phrase, evidence }) => (
        <>
          <bdi className={styles.phrase}>{phrase}</bdi>
          {isNarrow && <Reasons evidence={evidence} />}
        </>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'traffic',
      head: t('discover.traffic'),
      cell: ({ estTraffic }) => estTraffic ?? <span title={t('discover.noTraffic')}>–</span>,
      sortBy: ({ estTraffic }) => estTraffic,
      isEnd: true,
    },
    {
      id: 'source',
      head: t('discover.source'),
      cell: ({ source }) => t(`discover.sources.${source}`),
      sortBy: ({ source }) => source,
      isCsvOnly: isNarrow,
    },
    {
      id: 'why',
      head: t('discover.why'),
      cell: ({ evidence }) => <Reasons evidence={evidence} />,
      csv: ({ evidence }) => evidence.map(tell).join(' '),
      isCsvOnly: isNarrow,
    },
  ];
  return <DataTable label={t('discover.title')} rows={items} columns={columns} keyOf={({ phrase }) => phrase} fileName={fileName} />;
}

function Reasons({ evidence }: { evidence: readonly Evidence[] }) {
  const tell = useTellEvidence();
  return (
    <ul className={styles.evidence}>
      {evidence.map((one) => (
        <li key={one.source}>{tell(one)}</li>
      ))}
    </ul>
  );
}
