import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import type { FieldToken } from '#web/queries/keyword-field.ts';
import type { Market } from '#web/scope.ts';
import { FollowSwitch } from './follow-switch.tsx';
import styles from './keyword-field-page.module.css';
import { useFollowing } from './use-following.ts';

interface Props {
  appId: number;
  market: Market;
  tokens: readonly FieldToken[];
  onDrop: ((term: string, occurrence: number) => void) | undefined;
}

type Row = FieldToken & { key: string; occurrence: number };

const wastes = ['inTitle', 'inSubtitle', 'duplicate', 'plural', 'brand', 'stopword'] as const;
const wastesOf = (token: FieldToken) => wastes.filter((waste) => token[waste] === true);

/** A word may occur twice, so the key contains its number. */
function toRows(tokens: readonly FieldToken[]): Row[] {
  return tokens.map((token, index) => {
    const before = tokens.slice(0, index).filter(({ term }) => term === token.term).length;
    return { ...token, key: `${token.term} ${before}`, occurrence: before };
  });
}

export function Words({ appId, market, tokens, onDrop }: Props) {
  const { t } = useTranslation();
  const following = useFollowing(appId, market);
  const columns: DataColumn<Row>[] = [
    {
      id: 'term',
      head: t('keywordField.word'),
      cell: ({ term, occurrence }) => (
        <span className={styles.word}>
          <strong dir="auto">{term}</strong>
          {onDrop && (
            <ActionIcon
              className="touch"
              size={24}
              variant="subtle"
              color="gray"
              aria-label={t('keywordField.drop', { term })}
              title={t('keywordField.drop', { term })}
              onClick={() => onDrop(term, occurrence)}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          )}
        </span>
      ),
      sortBy: ({ term }) => term,
    },
    {
      id: 'follow',
      head: t('keywordField.follow'),
      cell: ({ term, keywordId }) => (
        <FollowSwitch
          appId={appId}
          market={market}
          term={term}
          keywordId={keywordId}
          following={following}
        />
      ),
      sortBy: ({ keywordId }) => Number(keywordId === null),
      csv: ({ keywordId }) => Number(keywordId !== null),
    },
    {
      id: 'waste',
      head: t('keywordField.waste'),
      cell: (token) => {
        const found = wastesOf(token);
        return found.length === 0 ? (
          ''
        ) : (
          <span className={styles.waste}>
            {found.map((waste) => t(`keywordField.wasted.${waste}`)).join(', ')}
          </span>
        );
      },
      sortBy: (token) => -wastesOf(token).length,
      csv: (token) => wastesOf(token).join(' '),
    },
    {
      id: 'best',
      head: t('column.best'),
      cell: ({ bestPosition }) => bestPosition ?? '–',
      sortBy: ({ bestPosition }) => bestPosition,
      isEnd: true,
    },
    {
      id: 'traffic',
      head: t('suggestions.traffic'),
      cell: ({ traffic }) => traffic ?? '–',
      sortBy: ({ traffic }) => traffic,
      isEnd: true,
    },
    {
      id: 'difficulty',
      head: t('keywordField.difficulty'),
      cell: ({ difficulty }) => difficulty ?? '–',
      sortBy: ({ difficulty }) => difficulty,
      isEnd: true,
    },
    {
      id: 'tracked',
      head: t('keywordField.followed'),
      cell: ({ trackedKeywordIds }) => trackedKeywordIds.length || '–',
      sortBy: ({ trackedKeywordIds }) => trackedKeywordIds.length,
      isEnd: true,
    },
  ];
  return (
    <DataTable
      label={t('keywordField.words')}
      rows={toRows(tokens)}
      columns={columns}
      keyOf={({ key }) => key}
      fileName="keyword-field"
    />
  );
}
