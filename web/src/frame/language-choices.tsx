import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showError } from '../components/toasts/toasts.tsx';
import { languageNames, languages, setLanguage } from '../i18n.ts';

/** Menu items of the languages, each in its own language. */
export function LanguageChoices() {
  const { i18n } = useTranslation();
  return (
    <Menu.RadioGroup
      value={i18n.language}
      onChange={(chosen) => {
        const language = languages.find((candidate) => candidate === chosen);
        if (language) setLanguage(language).catch(showError);
      }}
    >
      {languages.map((language) => (
        <Menu.RadioItem key={language} value={language} lang={language}>
          {languageNames[language]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
