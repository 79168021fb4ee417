import { Select, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import { useSearchText } from '#web/search-text.ts';
import { toggleItem } from '#web/search-value.ts';
import { starChoices, type ChangeReviewFilter, type ReviewSearch } from './review-filters.ts';
import styles from './reviews-page.module.css';

interface Props {
  search: ReviewSearch;
  onChange: ChangeReviewFilter;
  versions: readonly string[];
}

export function ReviewToolbar({ search, onChange, versions }: Props) {
  const { t } = useTranslation();
  const { text: q, type } = useSearchText(
    search.q,
    (text) => onChange({ q: text || undefined }),
    300,
  );
  const toggle = (star: string) =>
    onChange(({ stars }) => ({
      stars: toggleItem(stars, star).toSorted().join(',') || undefined,
    }));
  const known =
    search.version && !versions.includes(search.version) ? [search.version, ...versions] : versions;
  return (
    <div className={styles.toolbar} role="search" aria-label={t('reviews.filters')}>
      <TextInput
        className={styles.search}
        data-search
        aria-label={t('reviews.search')}
        placeholder={t('reviews.search')}
        leftSection={<Search size={15} aria-hidden />}
        value={q}
        maxLength={100}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <div className={styles.chips} role="group" aria-label={t('reviews.byStars')}>
        {starChoices.map((star) => (
          <ToggleChip key={star} pressed={search.stars.includes(star)} onPress={() => toggle(star)}>
            <span aria-hidden>{star} ★</span>
            <span className="sr-only">{t('reviews.stars', { count: Number(star) })}</span>
          </ToggleChip>
        ))}
        <ToggleChip
          pressed={search.unread}
          onPress={() => onChange({ unread: search.unread ? undefined : true })}
        >
          {t('reviews.unread')}
        </ToggleChip>
      </div>
      <Select
        className={styles.pick}
        aria-label={t('reviews.version')}
        value={search.version ?? ''}
        data={[
          { value: '', label: t('reviews.anyVersion') },
          ...known.map((value) => ({ value, label: t('reviews.versionIs', { version: value }) })),
        ]}
        onChange={(value) => onChange({ version: value || undefined })}
        allowDeselect={false}
      />
      <Select
        className={styles.pick}
        aria-label={t('reviews.reply')}
        value={search.reply ?? ''}
        data={[
          { value: '', label: t('reviews.anyReply') },
          { value: 'with', label: t('reviews.withReply') },
          { value: 'without', label: t('reviews.withoutReply') },
        ]}
        onChange={(value) => onChange({ reply: value || undefined })}
        allowDeselect={false}
      />
      <Select
        className={styles.pick}
        aria-label={t('reviews.order')}
        value={search.sort}
        data={[
          { value: 'newest', label: t('reviews.newest') },
          { value: 'lowest', label: t('reviews.lowest') },
        ]}
        onChange={(value) => onChange({ sort: value === 'lowest' ? value : undefined })}
        allowDeselect={false}
      />
      {search.tag && (
        <ToggleChip pressed onPress={() => onChange({ tag: undefined })}>
          {t('reviews.tagIs', { tag: search.tag })}
        </ToggleChip>
      )}
      {search.language && (
        <ToggleChip pressed onPress={() => onChange({ language: undefined })}>
          {t('reviews.languageIs', { language: search.language })}
        </ToggleChip>
      )}
    </div>
  );
}
