import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';

export function KeywordFieldPage() {
  const { t } = useTranslation();
  return <PageHead title={t('keywordField.title')} />;
}
