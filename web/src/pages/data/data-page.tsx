import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';

export function DataPage() {
  const { t } = useTranslation();
  return <PageHead title={t('data.title')} />;
}
