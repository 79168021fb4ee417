import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './show-more.module.css';

interface Props {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** Full width below the list, or aligned with its text. */
  align?: 'wide' | 'middle' | 'start';
}

/** Button for the next page of a list. */
export function ShowMore({ query, align = 'start' }: Props) {
  const { t } = useTranslation();
  if (!query.hasNextPage) return null;
  const look =
    align === 'wide'
      ? ({ variant: 'subtle', fullWidth: true } as const)
      : ({ variant: 'default' } as const);
  const button = (
    <Button
      {...look}
      className="touch"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {t('table.more')}
    </Button>
  );
  return align === 'middle' ? <div className={styles.middle}>{button}</div> : button;
}
