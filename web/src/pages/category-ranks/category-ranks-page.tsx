import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';

export function CategoryRanksPage() {
  const { t } = useTranslation();
  return <PageHead title={t('categoryRanks.title')} />;
}
